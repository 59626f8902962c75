package dev.csijava.hostpath.copy;

import java.io.IOException;
import java.nio.file.Path;

/** Reaches mounted file systems that can be frozen. Safe for use by several threads. */
@FunctionalInterface
public interface Freezer {
  /**
   * Opens a mounted file system. As long as it is open nobody can unmount it there.
   *
   * @param mountPoint absolute; what is there may be another file system than the caller thinks, so
   *     ask it for its device
   * @throws IOException if it can't be opened
   */
  MountedFileSystem open(Path mountPoint) throws IOException;
}
