package dev.csijava.hostpath.blocks;

import dev.csijava.nativeio.Extent;
import dev.csijava.nativeio.ExtentMap;
import dev.csijava.nativeio.LinuxException;
import java.io.IOException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** By the file system's own map, which also tells what two files have in common (reflink). */
final class ExtentRuns implements Runs {
  private final ExtentMap map;
  private final long end;
  private long at;
  private @Nullable Extent ahead;

  /**
   * @throws LinuxException EOPNOTSUPP or ENOTTY if the file system has no such map
   */
  ExtentRuns(ExtentMap map, long start, long end) throws LinuxException {
    this.map = map;
    this.at = start;
    this.end = end;
    this.ahead = nextData();
  }

  /** What is reserved but not written reads as zeros: a hole. */
  private @Nullable Extent nextData() throws LinuxException {
    for (Extent one = map.next().orElse(null); one != null; one = map.next().orElse(null)) {
      if (!one.unwritten() && one.end() > at) {
        return one;
      }
    }
    return null;
  }

  @Override
  public Optional<Run> next() throws IOException {
    if (at >= end) {
      return Optional.empty();
    }
    Extent extent = ahead;
    long from = at;
    if (extent == null || extent.offset() > from) {
      at = extent == null ? end : Math.min(extent.offset(), end);
      return Optional.of(Run.hole(from, at));
    }
    at = Math.min(extent.end(), end);
    ahead = nextData();
    // Only of what is shared: the places of two devices of one file system have the same numbers.
    boolean comparable = extent.placed() && extent.shared();
    long place = comparable ? extent.place() + (from - extent.offset()) : Run.NOWHERE;
    return Optional.of(new Run(from, at, false, place));
  }
}
