package dev.csijava.testkit.conformance;

import com.google.common.base.Splitter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What the kit's own view of the kernel's mount table says of a path. */
final class SeenMounts {
  private static final Path TABLE = Path.of("/proc/self/mountinfo");
  private static final Pattern ESCAPE = Pattern.compile("\\\\([0-7]{3})");
  private static final Splitter WORDS = Splitter.on(' ');
  private static final int MOUNT_POINT = 4;
  private static final int OPTIONS = 5;

  private SeenMounts() {}

  /** The options of the mount that covers the path itself, or nothing if none does. */
  static Optional<Set<String>> optionsAt(String path) {
    Set<String> found = null;
    for (String line : lines()) {
      List<String> words = WORDS.splitToList(line);
      if (decoded(words.get(MOUNT_POINT)).equals(path)) {
        found = new HashSet<>(Splitter.on(',').splitToList(words.get(OPTIONS)));
        found.addAll(Splitter.on(',').splitToList(words.get(words.size() - 1)));
      }
    }
    return Optional.ofNullable(found);
  }

  /** How many mounts lie on each other at the path. */
  static long count(String path) {
    return lines().stream()
        .filter(line -> decoded(WORDS.splitToList(line).get(MOUNT_POINT)).equals(path))
        .count();
  }

  static boolean isMounted(String path) {
    return optionsAt(path).isPresent();
  }

  private static List<String> lines() {
    try {
      return Files.readAllLines(TABLE, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of(); // not Linux: nothing is seen
    }
  }

  /** Blanks and the like are octal escapes; paths are bytes. */
  private static String decoded(String text) {
    String bytes =
        ESCAPE
            .matcher(text)
            .replaceAll(
                match ->
                    Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(match.group(1), 8))));
    return new String(bytes.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
  }
}
