package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a vendor can meet says what it is, and since when; in the other modules for vendors too. */
class JavadocTest {
  private static final Pattern PUBLIC = Pattern.compile(" {0,4}public .*");

  @ParameterizedTest
  @CsvSource({"csi-core, 100", "csi-monitoring, 5", "csi-testkit, 100"})
  void everythingPublicHasJavadocWithItsFirstVersion(String module, int atLeast)
      throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.walk(Path.of("..", module, "src/main/java"))) {
      files = all.filter(file -> file.toString().endsWith(".java")).toList();
    }
    List<String> faults = new ArrayList<>();
    for (Path file : files) {
      check(file, faults);
    }
    assertThat(files).hasSizeGreaterThan(atLeast);
    assertThat(faults).isEmpty();
  }

  private static void check(Path file, List<String> faults) throws IOException {
    List<String> lines = Files.readAllLines(file);
    // Without a public type at the left margin nothing in the file is seen from outside.
    if (lines.stream().noneMatch(line -> line.startsWith("public "))) {
      return;
    }
    for (int i = 0; i < lines.size(); i++) {
      int above = aboveAnnotations(lines, i);
      if (PUBLIC.matcher(lines.get(i)).matches()
          && !lines.subList(above + 1, i).toString().contains("@Override")
          && !hasVersion(lines, above)) {
        faults.add(file + ":" + (i + 1) + " " + lines.get(i).trim());
      }
    }
  }

  private static int aboveAnnotations(List<String> lines, int line) {
    int above = line - 1;
    long open = 0;
    while (above >= 0 && (open > 0 || isAnnotation(lines.get(above)))) {
      open += count(lines.get(above), ')') - count(lines.get(above), '(');
      above--;
    }
    return above;
  }

  /** Or the end of one of several lines. */
  private static boolean isAnnotation(String line) {
    return line.trim().startsWith("@") || line.endsWith("})");
  }

  private static long count(String line, char wanted) {
    return line.chars().filter(c -> c == wanted).count();
  }

  /** Whether a comment ends here that names a version. */
  private static boolean hasVersion(List<String> lines, int end) {
    if (end < 0 || !lines.get(end).endsWith("*/")) {
      return false;
    }
    for (int i = end; i >= 0 && !lines.get(i).contains("/**"); i--) {
      if (lines.get(i).contains("@since")) {
        return true;
      }
    }
    return false;
  }
}
