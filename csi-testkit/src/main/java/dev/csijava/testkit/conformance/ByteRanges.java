package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.BlockMetadata;
import java.util.ArrayList;
import java.util.List;

/** Bytes that tuples cover, whatever way they are cut into tuples. */
record ByteRanges(List<ByteRanges.Range> ranges) {
  /** From the first byte to the one behind the last. */
  record Range(long start, long end) {}

  /** What the tuples, in their order, cover from the offset on. */
  static ByteRanges from(long offset, List<BlockMetadata> tuples) {
    List<Range> merged = new ArrayList<>();
    for (BlockMetadata tuple : tuples) {
      long start = Math.max(offset, tuple.getByteOffset());
      long end = tuple.getByteOffset() + tuple.getSizeBytes();
      if (end <= start) {
        continue;
      }
      int last = merged.size() - 1;
      if (last >= 0 && merged.get(last).end() == start) {
        merged.set(last, new Range(merged.get(last).start(), end));
      } else {
        merged.add(new Range(start, end));
      }
    }
    return new ByteRanges(List.copyOf(merged));
  }

  boolean covers(long start, long end) {
    return ranges.stream().anyMatch(range -> range.start() <= start && end <= range.end());
  }
}
