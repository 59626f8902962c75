package dev.csijava.hostpath.removal;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.attribute.BasicFileAttributeView;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the trash folder where system calls can't be made: by the Java library's descriptors,
 * without following a link, and without a stack or a path that grows with the depth of the tree. A
 * directory that is not empty is renamed up into the trash folder itself, where it waits for its
 * turn; a mount point can be neither renamed nor unlinked, so the kernel itself keeps us from
 * crossing mounts.
 */
final class TreeRemover implements Remover {
  private static final Logger log = LoggerFactory.getLogger(TreeRemover.class);

  private final Path trash;
  private final BooleanSupplier stopped;
  private long moved;

  TreeRemover(Path trash, BooleanSupplier stopped) {
    this.trash = trash;
    this.stopped = stopped;
  }

  @Override
  public void empty() {
    try {
      while (!stopped.getAsBoolean() && pass() > 0) {
        // A pass moves directories up, so the next one finds more.
      }
    } catch (IOException e) {
      log.warn("could not empty {}; the next start tries again", trash, e);
    }
  }

  private long pass() throws IOException {
    long removed = 0;
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(trash)) {
      if (!(stream instanceof SecureDirectoryStream<Path> folder)) {
        throw new IOException("this file system can't remove by descriptor");
      }
      for (Path entry : folder) {
        if (stopped.getAsBoolean()) {
          return 0;
        }
        if (!Trash.isHeld(entry.getFileName().toString())) {
          removed += remove(folder, entry.getFileName());
        }
      }
    }
    return removed;
  }

  private long remove(SecureDirectoryStream<Path> folder, Path name) {
    try {
      if (!isDirectory(folder, name)) {
        folder.deleteFile(name);
        return 1;
      }
      long removed = clear(folder, name);
      folder.deleteDirectory(name);
      return removed + 1;
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      log.warn("could not remove {} from the trash; it stays: {}", name, e.toString());
      return 0;
    }
  }

  private long clear(SecureDirectoryStream<Path> folder, Path name) throws IOException {
    long removed = 0;
    try (SecureDirectoryStream<Path> inner =
        folder.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS)) {
      for (Path entry : inner) {
        if (stopped.getAsBoolean()) {
          return removed;
        }
        Path child = entry.getFileName();
        if (isDirectory(inner, child)) {
          dropOrLift(inner, child, folder);
        } else {
          inner.deleteFile(child);
        }
        removed++;
      }
    }
    return removed;
  }

  private void dropOrLift(
      SecureDirectoryStream<Path> from, Path child, SecureDirectoryStream<Path> to)
      throws IOException {
    try {
      from.deleteDirectory(child);
    } catch (DirectoryNotEmptyException e) {
      Path name = trash.getFileSystem().getPath("lifted-" + Trash.uniqueSuffix() + "-" + moved++);
      from.move(child, to, name);
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
