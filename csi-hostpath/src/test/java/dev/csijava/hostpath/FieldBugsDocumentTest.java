package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * docs/field-bugs.md says which public bug reports are replayed, and where: it is written from the
 * ids that the tests of all modules name.
 */
class FieldBugsDocumentTest {
  private static final Path ROOT = Path.of("..");
  private static final Path FILE = ROOT.resolve("docs/field-bugs.md");
  private static final String REWRITE = "csi.docs.rewrite";

  /** In the name of a test, several side by side; or in a comment or display name. */
  private static final Pattern IDS =
      Pattern.compile("void ((?:[bB]\\d{3})+)[A-Z]\\w*\\(|\\b(B\\d{3})\\b");

  private static final Pattern ID = Pattern.compile("[bB](\\d{3})");

  /** Reports that no test replays, and why. */
  private static final Map<String, String> NOT_APPLICABLE = Map.of();

  private record Report(String id, String kind, String ref, String symptom) {}

  @Test
  void everyReportIsReplayedOrSaidNotToApply() throws IOException {
    SortedMap<String, SortedSet<String>> named = namedByTests();
    List<String> missing =
        reports().stream()
            .map(Report::id)
            .filter(id -> !named.containsKey(id) && !NOT_APPLICABLE.containsKey(id))
            .toList();
    assertThat(missing).as("reports that no test names and that are not excused").isEmpty();
  }

  @Test
  void noTestNamesAReportThatThereIsNot() throws IOException {
    assertThat(reports().stream().map(Report::id)).containsAll(namedByTests().keySet());
  }

  /** Run with {@code -Dcsi.docs.rewrite=true} to write the file anew. */
  @Test
  void theDocumentIsUpToDate() throws IOException {
    String text = text();
    if (Boolean.getBoolean(REWRITE)) {
      Files.writeString(FILE, text);
    }
    assertThat(Files.readString(FILE))
        .as("%s; after a change run this test with -D%s=true", FILE, REWRITE)
        .isEqualTo(text);
  }

  private static String text() throws IOException {
    SortedMap<String, SortedSet<String>> named = namedByTests();
    StringBuilder table = new StringBuilder();
    int replayed = 0;
    for (Report report : reports()) {
      SortedSet<String> tests = named.get(report.id());
      replayed += tests == null ? 0 : 1;
      table.append("| ").append(report.id()).append(" | ").append(report.kind()).append(" | ");
      table.append(report.ref()).append(" | ").append(report.symptom().replace("|", "/"));
      table.append(" | ");
      table.append(
          tests == null
              ? "not applicable: " + NOT_APPLICABLE.getOrDefault(report.id(), "")
              : String.join(", ", tests));
      table.append(" |\n");
    }
    int all = reports().size();
    return "# Public bug reports against CSI drivers, and where they are replayed\n\n"
        + "Written by the build from the ids that tests name (FieldBugsDocumentTest of"
        + " csi-hostpath); do not edit.\nOf "
        + all
        + " reports "
        + replayed
        + " are replayed by tests, "
        + (all - replayed)
        + " do not apply.\n\n| report | kind | where it was reported | what happened | tests |\n"
        + "|---|---|---|---|---|\n"
        + table;
  }

  private static List<Report> reports() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(FieldBugsDocumentTest.class.getResourceAsStream("field-bugs.tsv"))) {
      List<Report> reports = new ArrayList<>();
      new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .skip(1)
          .map(line -> line.split("\t", -1))
          .forEach(cells -> reports.add(new Report(cells[0], cells[1], cells[2], cells[3])));
      return reports;
    }
  }

  /** Class names of tests by the ids that stand in them. */
  private static SortedMap<String, SortedSet<String>> namedByTests() throws IOException {
    SortedMap<String, SortedSet<String>> named = new TreeMap<>();
    Path root = ROOT.toRealPath();
    try (Stream<Path> all = Files.walk(root)) {
      for (Path file : all.filter(path -> isTest(root.relativize(path))).toList()) {
        String name = file.getFileName().toString().replace(".java", "");
        Matcher ids = IDS.matcher(Files.readString(file));
        while (ids.find()) {
          Matcher id = ID.matcher(ids.group());
          while (id.find()) {
            named.computeIfAbsent("B" + id.group(1), key -> new TreeSet<>()).add(name);
          }
        }
      }
    }
    return named;
  }

  private static boolean isTest(Path file) {
    String path = file.toString().toLowerCase(Locale.ROOT);
    return path.contains("/src/test/java/")
        && path.matches(".*(test|it|contract)\\.java")
        && !path.contains("target/")
        && !path.endsWith("fieldbugsdocumenttest.java");
  }
}
