package dev.csijava.benchmarks.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories of our own below that for temporary files, where nothing is mounted any more. */
final class Trees {
  private Trees() {}

  static void delete(Path root) throws IOException {
    List<Path> found;
    try (Stream<Path> all = Files.walk(root)) {
      found = all.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : found) {
      Files.deleteIfExists(path);
    }
  }
}
