package dev.csijava.hostpath.admin;

import java.io.IOException;
import java.nio.file.Path;

/** Takes a directory out of a tar.gz archive. */
interface Unpacker {
  /**
   * Whether a file is such an archive, read to its end.
   *
   * @throws IOException if that can't be found out
   */
  boolean isArchive(Path file) throws IOException;

  /**
   * Unpacks all of an archive and compares it with what came out of it; on disk when this returns.
   *
   * @param to where the directory goes; nothing is there
   * @throws IOException if anything failed or differs; the caller drops what is at {@code to}
   */
  void unpack(Path archive, Path to) throws IOException;
}
