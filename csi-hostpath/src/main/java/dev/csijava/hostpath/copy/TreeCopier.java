package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;

/** Copies a directory tree. Safe for use by several threads; blocks until the copy is done. */
public interface TreeCopier {
  /**
   * Makes an equal copy of a directory: contents, owners, modes, times, links as links, hard links
   * and special files. Mounts below the directory are not entered. It is exact for what nobody
   * changes meanwhile (rule K12), and all of it is on disk when this returns.
   *
   * @param from an existing directory
   * @param to where the copy goes; nothing is there
   * @throws IOException if anything could not be copied; the caller drops what is at {@code to}
   */
  void copy(Path from, Path to) throws IOException;

  /**
   * A copier that leaves out what can't be read, with a line in the log, and goes on: what the Go
   * driver calls {@code ignoreFailedRead}. One that can't tell failed reads from other errors
   * answers itself, and fails.
   */
  default TreeCopier ignoringFailedReads() {
    return this;
  }

  /**
   * Proves that a directory stood still while it was copied.
   *
   * @param directory an existing one
   * @param moment by the clock of its file system
   * @return whether nothing in it, mounts below it aside, was changed at that moment or after;
   *     false also where this copier can't tell
   * @throws IOException if it could not be looked through
   */
  default boolean isUnchangedSince(Path directory, Instant moment) throws IOException {
    return false;
  }
}
