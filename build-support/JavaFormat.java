import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.FormatterException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Google Java format over a set of files. Texts seen formatted are remembered by hash, so that the
 * next build formats only what changed.
 */
final class JavaFormat {
  static final String UNFORMATTED = "not formatted: ";

  private record Unformatted(Path file, String formatted) {}

  private final Path cacheFile;
  private final Set<String> known = new HashSet<>();
  private final Set<String> seen = new TreeSet<>();
  private final List<Unformatted> unformatted = new ArrayList<>();
  private final List<String> unparsable = new ArrayList<>();

  JavaFormat(Path cacheFile) throws IOException {
    this.cacheFile = cacheFile;
    if (Files.exists(cacheFile)) {
      known.addAll(Files.readAllLines(cacheFile));
    }
  }

  void add(Path file) throws IOException {
    String text = Files.readString(file);
    String hash = hash(text);
    if (!known.contains(hash)) {
      try {
        String formatted = new Formatter().formatSourceAndFixImports(text);
        if (!formatted.equals(text)) {
          unformatted.add(new Unformatted(file, formatted));
          return;
        }
      } catch (FormatterException e) {
        unparsable.add(file + ": " + e.getMessage().strip());
        return;
      }
    }
    seen.add(hash);
  }

  List<Path> apply() throws IOException {
    List<Path> changed = new ArrayList<>();
    for (Unformatted each : unformatted) {
      Files.writeString(each.file(), each.formatted());
      seen.add(hash(each.formatted()));
      changed.add(each.file());
    }
    unformatted.clear();
    return changed;
  }

  List<String> findings() throws IOException {
    Files.createDirectories(cacheFile.getParent());
    Files.write(cacheFile, seen);
    List<String> findings = new ArrayList<>(unparsable);
    unformatted.forEach(each -> findings.add(UNFORMATTED + each.file()));
    return findings;
  }

  /** Names the formatter's version too: another version has another opinion. */
  private static String hash(String text) {
    String version = Formatter.class.getPackage().getImplementationVersion();
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      digest.update(String.valueOf(version).getBytes(StandardCharsets.UTF_8));
      digest.update(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
