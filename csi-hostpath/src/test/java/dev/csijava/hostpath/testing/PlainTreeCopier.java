package dev.csijava.hostpath.testing;

import dev.csijava.hostpath.copy.TreeCopier;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;

/** Copies contents, modes, times and links; for file systems in memory, which cp(1) can't see. */
public final class PlainTreeCopier implements TreeCopier {
  @Override
  public void copy(Path from, Path to) throws IOException {
    Files.walkFileTree(
        from,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            return copyOne(directory);
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            return copyOne(file);
          }

          private FileVisitResult copyOne(Path path) throws IOException {
            Files.copy(
                path,
                to.resolve(from.relativize(path).toString()),
                StandardCopyOption.COPY_ATTRIBUTES,
                LinkOption.NOFOLLOW_LINKS);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
