package dev.csijava.hostpath.admin;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The ids that somebody outside knows, one or more a line: all volumeHandles of a cluster. */
final class KnownIds {
  private KnownIds() {}

  /**
   * Reads them.
   *
   * @param from a file, {@code -} for the standard input, null for none
   * @return empty if nobody said what is known
   */
  static Optional<Set<String>> read(@Nullable String from) throws IOException {
    if (from == null) {
      return Optional.empty();
    }
    if (from.equals("-")) {
      return Optional.of(read(System.in));
    }
    try (InputStream in = Files.newInputStream(Path.of(from))) {
      return Optional.of(read(in));
    }
  }

  private static Set<String> read(InputStream in) throws IOException {
    Set<String> ids = new HashSet<>();
    BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      for (String id : line.strip().split("\\s+", -1)) {
        if (!id.isEmpty()) {
          ids.add(id);
        }
      }
    }
    return ids;
  }
}
