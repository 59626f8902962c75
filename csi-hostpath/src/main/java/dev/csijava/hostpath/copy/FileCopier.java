package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Copies files and gives them their sizes. Safe for use by several threads; blocks until it is
 * done.
 */
public interface FileCopier {
  /**
   * Makes an equal copy of a regular file: contents with their holes, and mode. It is exact for
   * what nobody changes meanwhile (rule K12), and all of it is on disk when this returns.
   *
   * @param from an existing regular file
   * @param to where the copy goes; nothing is there
   * @throws IOException if it could not be copied; the caller drops what is at {@code to}
   */
  default void copy(Path from, Path to) throws IOException {
    copy(from, to, () -> {});
  }

  /**
   * The same, and tells when it needs the source no more: then all of it has been read or is shared
   * with the copy, but is not on disk yet.
   *
   * @param afterCut called once, unless the copy fails before; fails never
   * @throws IOException if it could not be copied; the caller drops what is at {@code to}
   */
  void copy(Path from, Path to, Runnable afterCut) throws IOException;

  /**
   * Gives a file this size: what is beyond it is cut off, what is new reads as zeros and is a hole
   * as far as the means of this copier go. On disk when this returns.
   *
   * @param file an existing regular file, not a link
   * @param bytes at least 1
   */
  default void setSize(Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      long size = channel.size();
      if (size > bytes) {
        channel.truncate(bytes);
      } else if (size < bytes) {
        // A channel can't grow a file without writing its last byte.
        int _ = channel.write(ByteBuffer.allocate(1), bytes - 1);
      }
      channel.force(true);
    }
  }

  /**
   * Writes to the disk what a mounted file system still has in memory, so that a copy of the file
   * that it lies in has it (rule K12).
   *
   * @param mountPoint where the file system is mounted
   * @throws IOException if it can't be written
   */
  void flush(Path mountPoint) throws IOException;

  /** What freezes file systems for a cut, by the means of this copier; empty if nothing does. */
  default Optional<Freezer> freezer() {
    return Optional.empty();
  }
}
