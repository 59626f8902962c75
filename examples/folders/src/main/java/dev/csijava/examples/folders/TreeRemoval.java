package dev.csijava.examples.folders;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;

/**
 * Removes trees that pods could write to, and may still be writing to: by the descriptors of
 * directories and never by a path, so that a link put in the way leads nowhere, and without a stack
 * that grows with the depth of the tree. A directory that is not empty is moved up beside the tree
 * and has its turn later. A mount point can be neither moved nor removed, so nothing below one is
 * touched (rule K1).
 *
 * @param root the directory that holds the trees
 * @param prefix how the names begin that directories get which wait for their turn
 */
record TreeRemoval(Path root, String prefix) {
  /**
   * Removes one directory with all that is in it.
   *
   * @param name its name in the root
   */
  void remove(String name) throws IOException {
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(root)) {
      if (!(stream instanceof SecureDirectoryStream<Path> folder)) {
        throw new IOException("this file system can't remove by descriptor");
      }
      Deque<Path> doomed = new ArrayDeque<>();
      doomed.add(root.getFileSystem().getPath(name));
      while (!doomed.isEmpty()) {
        Path next = doomed.remove();
        clear(folder, next, doomed);
        folder.deleteDirectory(next);
      }
    }
  }

  private void clear(SecureDirectoryStream<Path> folder, Path name, Deque<Path> doomed)
      throws IOException {
    try (SecureDirectoryStream<Path> inner =
        folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : inner) {
        Path child = entry.getFileName();
        if (!isDirectory(inner, child)) {
          inner.deleteFile(child);
          continue;
        }
        try {
          inner.deleteDirectory(child);
        } catch (DirectoryNotEmptyException e) {
          Path aside = root.getFileSystem().getPath(prefix + UUID.randomUUID());
          inner.move(child, folder, aside);
          doomed.add(aside);
        }
      }
    }
  }

  private static boolean isDirectory(SecureDirectoryStream<Path> folder, Path name)
      throws IOException {
    return folder
        .getFileAttributeView(name, BasicFileAttributeView.class, LinkOption.NOFOLLOW_LINKS)
        .readAttributes()
        .isDirectory();
  }
}
