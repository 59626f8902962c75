import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Links between our documents lead somewhere: the file is there, in the tree, and has the heading.
 * Addresses elsewhere are not tried, since the build must not need a network for that.
 */
final class DocumentLinks {
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?) *#*$");
  private static final Pattern ELSEWHERE = Pattern.compile("^[a-z][a-z0-9+.-]*:.*");

  private final Map<Path, Set<String>> headings = new HashMap<>();

  List<String> findings(List<Path> documents) throws IOException {
    List<String> findings = new ArrayList<>();
    for (Path document : documents) {
      int number = 0;
      for (String line : withoutCode(document)) {
        number++;
        Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
        while (link.find()) {
          String target = link.group(1);
          if (!ELSEWHERE.matcher(target).matches() && !leadsSomewhere(document, target)) {
            findings.add("%s:%d: the link to %s leads nowhere".formatted(document, number, target));
          }
        }
      }
    }
    return findings;
  }

  private boolean leadsSomewhere(Path document, String target) throws IOException {
    int hash = target.indexOf('#');
    String file = hash < 0 ? target : target.substring(0, hash);
    Path there = file.isEmpty() ? document : document.resolveSibling(file).normalize();
    if (file.startsWith("/") || there.startsWith("..") || !Files.exists(there)) {
      return false;
    }
    return hash < 0 || headingsOf(there).contains(target.substring(hash + 1));
  }

  private Set<String> headingsOf(Path document) throws IOException {
    Set<String> known = headings.get(document);
    if (known == null) {
      known = new HashSet<>();
      for (String line : withoutCode(document)) {
        Matcher heading = HEADING.matcher(line);
        if (heading.matches()) {
          known.add(anchor(heading.group(1), known));
        }
      }
      headings.put(document, known);
    }
    return known;
  }

  /** As the usual renderers make it: letters, digits, hyphens; a repeated one gets a number. */
  private static String anchor(String heading, Set<String> taken) {
    String text =
        heading
            .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
            .toLowerCase(Locale.ROOT)
            .replaceAll("[^\\p{L}\\p{N} _-]", "")
            .replace(' ', '-');
    String anchor = text;
    for (int i = 1; taken.contains(anchor); i++) {
      anchor = text + "-" + i;
    }
    return anchor;
  }

  /** The lines, those of code blocks empty. */
  private static List<String> withoutCode(Path document) throws IOException {
    List<String> lines = new ArrayList<>();
    boolean code = false;
    for (String line : Files.readAllLines(document)) {
      boolean fence = line.strip().startsWith("```");
      lines.add(code || fence ? "" : line);
      code ^= fence;
    }
    return lines;
  }
}
