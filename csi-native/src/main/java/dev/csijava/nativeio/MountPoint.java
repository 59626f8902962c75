package dev.csijava.nativeio;

import java.lang.foreign.MemorySegment;

/**
 * Where a mount lies.
 *
 * @param parent the number of the mount that it lies on
 * @param path the mount point, as this process sees it
 */
// Compared by nobody.
@SuppressWarnings("ArrayRecordComponent")
record MountPoint(long parent, byte[] path) {
  static MountPoint of(MemorySegment answer) {
    return new MountPoint(MountFacts.parent(answer), MountAnswer.point(answer));
  }
}
