package dev.csijava.core.mount;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;

/**
 * What makes a file or directory the same one whatever its name: device and inode. Reading it asks
 * the file system, so a dead one hangs it: look at the mount table first.
 */
record FileIdentity(long device, long inode, Kind kind) {
  enum Kind {
    DIRECTORY,
    LINK,
    /** A regular file or a device: what a block volume's target is and shows. */
    FILE
  }

  /** The seam at which tests without a kernel say what is visible at a path. */
  @FunctionalInterface
  interface Reader {
    FileIdentity of(Path path) throws IOException;
  }

  /** Of the path itself, a link not followed. */
  static FileIdentity of(Path path) throws IOException {
    Map<String, Object> all =
        Files.readAttributes(
            path, "unix:dev,ino,isDirectory,isSymbolicLink", LinkOption.NOFOLLOW_LINKS);
    return new FileIdentity(
        number(all, "dev"),
        number(all, "ino"),
        Boolean.TRUE.equals(all.get("isDirectory"))
            ? Kind.DIRECTORY
            : Boolean.TRUE.equals(all.get("isSymbolicLink")) ? Kind.LINK : Kind.FILE);
  }

  private static long number(Map<String, Object> attributes, String name) throws IOException {
    if (attributes.get(name) instanceof Number value) {
      return value.longValue();
    }
    throw new IOException("the file system does not tell " + name);
  }
}
