package dev.csijava.hostpath.copy;

import java.io.IOException;

/** A mounted file system, held open. For one thread at a time. */
public interface MountedFileSystem extends AutoCloseable {
  /** What became of a wish to freeze. */
  enum Outcome {
    /** It is frozen by us. */
    FROZEN,
    /** It was frozen before, by somebody else. */
    FROZEN_BEFORE,
    /** This file system can't be frozen, or not by this process. */
    REFUSED
  }

  /** Which file system it is, {@code major:minor} as the mount table names it. */
  String device() throws IOException;

  /**
   * Stops all writing to it; what was written before is on disk and consistent. It outlives this
   * process.
   *
   * @throws IOException if the disk fails
   */
  Outcome freeze() throws IOException;

  /** Lets it go on; nothing happens if it is not frozen. */
  void thaw() throws IOException;

  /** Lets go of it; a freeze stays. */
  @Override
  void close();
}
