package dev.csijava.testkit.load;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * One directory of our own where volumes are staged and published. Removing it removes empty
 * directories only: nothing below a mount is ever touched.
 */
final class Places {
  private final Path root;

  private Places(Path root) {
    this.root = root;
  }

  static Places in(Path parent) throws IOException {
    return new Places(
        Files.createTempDirectory(Files.createDirectories(parent).toRealPath(), "csi-load"));
  }

  /** A staging directory, which the caller of a driver makes. */
  Path staging(String name) {
    return make(root.resolve(name).resolve("staging"));
  }

  /** A target path; the driver makes what lies there. */
  Path target(String name) {
    return make(root.resolve(name).resolve("pod")).resolve("mount");
  }

  /** Takes away what the methods above made for a volume. */
  void clear(String name) {
    for (String part : new String[] {"staging", "pod", ""}) {
      remove(root.resolve(name).resolve(part));
    }
  }

  /** Takes away the rest. */
  void clear() {
    remove(root);
  }

  private static Path make(Path directory) {
    try {
      return Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path directory) {
    try {
      Files.deleteIfExists(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
