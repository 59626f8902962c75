package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Copies one file. Safe for use by several threads; blocks until the copy is done. */
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
