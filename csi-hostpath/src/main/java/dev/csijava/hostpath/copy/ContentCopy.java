package dev.csijava.hostpath.copy;

import dev.csijava.nativeio.Errno;
import dev.csijava.nativeio.LinuxException;
import dev.csijava.nativeio.NodeStatus;
import dev.csijava.nativeio.OpenFile;
import java.util.OptionalLong;

/** Copies the content of one file into an empty one: shared where that can be, else with holes. */
record ContentCopy(CopyProgress progress) {
  /** Small enough that the log hears of a large file now and then. */
  private static final long PIECE_BYTES = 64L << 20;

  /**
   * Where room for all is taken, a search for holes would cost a small file more than its bytes.
   */
  private static final long SMALL_BYTES = 1L << 16;

  void copy(OpenFile from, OpenFile to) throws LinuxException {
    NodeStatus status = from.status();
    long size = status.size();
    if (size == 0 || to.shareBlocksOf(from)) {
      return;
    }
    if (size <= SMALL_BYTES && status.allocated() >= size) {
      boolean ignored = copyRange(from, to, 0, size);
      return;
    }
    to.setSize(size);
    long at = 0;
    while (at < size) {
      OptionalLong data = from.nextData(at);
      if (data.isEmpty() || data.getAsLong() >= size) {
        return;
      }
      long end = Math.min(endOfData(from, data.getAsLong(), size), size);
      if (!copyRange(from, to, data.getAsLong(), end)) {
        return;
      }
      at = end;
    }
  }

  private static long endOfData(OpenFile from, long data, long size) throws LinuxException {
    try {
      return from.nextHole(data);
    } catch (LinuxException e) {
      if (e.is(Errno.ENXIO)) {
        // Cut off at this moment; copying tells where it ends now.
        return size;
      }
      throw e;
    }
  }

  /** Answers false at the end of a file that became shorter meanwhile. */
  private boolean copyRange(OpenFile from, OpenFile to, long start, long end)
      throws LinuxException {
    for (long at = start; at < end; at += PIECE_BYTES) {
      long length = Math.min(PIECE_BYTES, end - at);
      long copied = from.copyTo(to, at, length);
      progress.bytes(copied);
      if (copied < length) {
        return false;
      }
    }
    return true;
  }
}
