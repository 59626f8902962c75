package dev.csijava.hostpath.disk;

import java.io.IOException;
import java.nio.file.Path;

/**
 * The steps that make a change outlive a crash. A seam: a file system in memory can't sync a
 * folder, and tests let single steps fail.
 *
 * <p>Safe for use by several threads; every method blocks until the disk has answered.
 */
public interface Disk {
  /**
   * Makes a new file with these bytes and returns when they are on disk; the folder's entry is not.
   *
   * @throws java.nio.file.FileAlreadyExistsException if there is such a file
   */
  void write(Path file, byte[] content) throws IOException;

  /** Returns when the entries of this folder are on disk. */
  void syncFolder(Path folder) throws IOException;

  /**
   * One atomic rename(2) within a file system.
   *
   * @throws IOException and nothing was renamed
   */
  void rename(Path from, Path to) throws IOException;
}
