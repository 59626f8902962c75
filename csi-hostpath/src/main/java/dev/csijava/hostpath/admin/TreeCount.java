package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** Counts a tree that nobody works in, following no link: the check that a copy has all of it. */
final class TreeCount extends SimpleFileVisitor<Path> {
  private long entries;
  private long bytes;

  private TreeCount() {}

  /**
   * @throws IOException if they differ in number of entries or in bytes
   */
  static void requireEqual(Path one, Path other) throws IOException {
    TreeCount first = new TreeCount();
    TreeCount second = new TreeCount();
    Files.walkFileTree(one, first);
    Files.walkFileTree(other, second);
    if (first.entries != second.entries || first.bytes != second.bytes) {
      throw new IOException("the copy of " + one + " differs from it");
    }
  }

  @Override
  public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
    entries++;
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    entries++;
    if (attributes.isRegularFile()) {
      bytes += attributes.size();
    }
    return FileVisitResult.CONTINUE;
  }
}
