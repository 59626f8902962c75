package dev.csijava.hostpath.store;

import java.io.IOException;
import java.nio.file.Path;

/** Makes the data of a new object. */
@FunctionalInterface
public interface DataMaker {
  /**
   * Makes the data at a path in a pending folder, where nothing is yet, and returns when all of it
   * is on disk.
   *
   * @throws IOException and the pending folder is dropped, with whatever was made in it
   */
  void make(Path data) throws IOException;
}
