package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.file.Path;

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
  void copy(Path from, Path to) throws IOException;

  /**
   * Writes to the disk what a mounted file system still has in memory, so that a copy of the file
   * that it lies in has it (rule K12).
   *
   * @param mountPoint where the file system is mounted
   * @throws IOException if it can't be written
   */
  void flush(Path mountPoint) throws IOException;
}
