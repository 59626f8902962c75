package dev.csijava.hostpath.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.nativeio.DirectoryEntry;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.RenameRule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A directory in a directory in a directory, deeper than any path can be long. */
public final class DeepTree {
  private static final FileName NAME = FileName.of("d");

  private DeepTree() {}

  /** Makes so many levels below a directory. */
  public static void make(Path root, int levels) throws IOException {
    OpenDirectory at = OpenDirectory.at(root);
    for (int i = 0; i < levels; i++) {
      at.makeDirectory(NAME, 0755);
      at = next(at);
    }
    at.makeFile(FileName.of("bottom"), 0600).close();
    at.close();
  }

  private static OpenDirectory next(OpenDirectory at) throws IOException {
    try (at) {
      return at.directory(NAME);
    }
  }

  /** How many levels there are, down to the file at the bottom. */
  public static int depth(Path root) throws IOException {
    OpenDirectory at = OpenDirectory.at(root);
    for (int depth = 0; ; depth++) {
      List<DirectoryEntry> entries = at.nextEntries();
      assertThat(entries).hasSize(1);
      if (entries.get(0).name().equals(FileName.of("bottom"))) {
        at.close();
        return depth;
      }
      at = next(at);
    }
  }

  /** Removes all but the directory itself, since what cleans up after a test can't. */
  public static void remove(Path root) throws IOException {
    try (OpenDirectory top = OpenDirectory.at(root)) {
      FileName up = FileName.of("up");
      for (List<DirectoryEntry> some = top.nextEntries();
          !some.isEmpty();
          some = top.nextEntries()) {
        try (OpenDirectory first = top.directory(NAME)) {
          DirectoryEntry inner = first.nextEntries().get(0);
          if (!inner.name().equals(NAME)) {
            first.removeFile(inner.name());
            top.removeDirectory(NAME);
            return;
          }
          first.rename(NAME, top, up, RenameRule.KEEP);
        }
        top.removeDirectory(NAME);
        top.rename(up, top, NAME, RenameRule.KEEP);
        top.rewind();
      }
    }
  }
}
