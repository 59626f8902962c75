package dev.csijava.examples.existing;

import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/** What the kernel says of a path whose links are resolved; tests say it instead. */
interface Facts {
  int FILE_TYPE = 0170000;
  int BLOCK_DEVICE = 0060000;

  boolean isMountPoint(Path path) throws IOException;

  boolean isBlockDevice(Path path) throws IOException;

  /** The inode of what the path shows, which for a mount point is the root of what is mounted. */
  default long inode(Path path) {
    try {
      return ((Number) Files.getAttribute(path, "unix:ino", LinkOption.NOFOLLOW_LINKS)).longValue();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static Facts system() {
    return new Facts() {
      @Override
      public boolean isMountPoint(Path path) throws IOException {
        return MountTable.read().at(path).isPresent();
      }

      @Override
      public boolean isBlockDevice(Path path) throws IOException {
        int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & FILE_TYPE) == BLOCK_DEVICE;
      }
    };
  }
}
