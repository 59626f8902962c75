package dev.csijava.hostpath.testing;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * What lies below a directory, a driver's trash left out: a thread of the driver empties that at
 * its own pace, and a walk that comes upon what vanishes fails.
 */
public final class StillTree {
  private StillTree() {}

  /** All paths from {@code root} on, itself included; of {@code trash} and below none. */
  public static List<Path> of(Path root, Path trash) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes facts) {
            if (folder.equals(trash)) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            found.add(folder);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes facts) {
            found.add(file);
            return FileVisitResult.CONTINUE;
          }
        });
    return found;
  }
}
