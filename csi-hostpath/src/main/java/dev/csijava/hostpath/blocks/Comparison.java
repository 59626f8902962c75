package dev.csijava.hostpath.blocks;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.io.IOException;
import java.util.Arrays;

/**
 * Finds the blocks in which two files differ: by their maps where these tell, by reading where they
 * don't. A file that is shorter than the other reads as zeros behind its end, as a volume that has
 * grown does. Used once, by one thread.
 */
final class Comparison {
  private static final int PIECE = 64 * BlockRanges.BLOCK_BYTES;

  private final SnapshotFile base;
  private final SnapshotFile target;
  private final BlockRanges differences;
  private final CallContext call;
  private final byte[] zeros = new byte[PIECE];
  private final byte[] baseBytes = new byte[PIECE];
  private final byte[] targetBytes = new byte[PIECE];

  /**
   * @param differences takes what differs
   */
  Comparison(SnapshotFile base, SnapshotFile target, BlockRanges differences, CallContext call) {
    this.base = base;
    this.target = target;
    this.differences = differences;
    this.call = call;
  }

  /**
   * @param start the beginning of a block
   * @param baseSize how much of the base counts
   * @param size how much of the target counts
   * @throws CsiException CANCELLED if the caller went away
   */
  void run(long start, long baseSize, long size) throws IOException {
    boolean comparable = base.sharesPlacesWith(target);
    Walk baseWalk = new Walk(base.runs(Math.min(start, baseSize), baseSize), size);
    Walk targetWalk = new Walk(target.runs(start, size), size);
    for (long at = start; at < size; ) {
      Run there = baseWalk.at(at);
      Run here = targetWalk.at(at);
      long end = Math.min(there.end(), here.end());
      boolean equal = (comparable || here.hole()) && here.surelyEquals(there, at);
      if (!equal) {
        compare(at, end, there.hole(), here.hole());
      }
      at = end;
    }
  }

  private void compare(long start, long end, boolean baseIsZero, boolean targetIsZero)
      throws IOException {
    for (long at = start; at < end; ) {
      requireCaller();
      long behind = Math.min(at - at % PIECE + PIECE, end);
      int length = Math.toIntExact(behind - at);
      byte[] there = bytes(base, at, length, baseIsZero, baseBytes);
      byte[] here = bytes(target, at, length, targetIsZero, targetBytes);
      if (!Arrays.equals(there, 0, length, here, 0, length)) {
        addBlocks(at, behind, there, here);
      }
      at = behind;
    }
  }

  private byte[] bytes(SnapshotFile file, long at, int length, boolean zero, byte[] buffer)
      throws IOException {
    if (zero) {
      return zeros;
    }
    file.read(at, buffer, length);
    return buffer;
  }

  private void addBlocks(long start, long end, byte[] there, byte[] here) {
    for (long at = start; at < end; ) {
      long behind = Math.min(BlockRanges.endOfBlock(at), end);
      int from = Math.toIntExact(at - start);
      int to = Math.toIntExact(behind - start);
      if (!Arrays.equals(there, from, to, here, from, to)) {
        differences.add(at, behind);
      }
      at = behind;
    }
  }

  private void requireCaller() {
    if (call.isCancelled()) {
      throw new CsiException(Status.Code.CANCELLED, "the caller has gone away");
    }
  }

  /** The runs of one file, with a hole behind its end. */
  private static final class Walk {
    private final Runs runs;
    private final long size;
    private Run current = Run.hole(0, 0);

    Walk(Runs runs, long size) {
      this.runs = runs;
      this.size = size;
    }

    Run at(long at) throws IOException {
      while (current.end() <= at) {
        long behind = Math.max(current.end(), at);
        current = runs.next().orElseGet(() -> Run.hole(behind, Math.max(size, behind + 1)));
      }
      return current;
    }
  }
}
