package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What was written to a volume: for each block of 4 KiB the number of the write that it holds. The
 * bytes of a block follow from that number, so terabytes cost nothing and still can be compared.
 */
final class BlockMap {
  static final int BLOCK = 4096;

  private final NavigableMap<Long, Long> writes;

  BlockMap() {
    this(new TreeMap<>());
  }

  private BlockMap(NavigableMap<Long, Long> writes) {
    this.writes = writes;
  }

  BlockMap copy() {
    return new BlockMap(new TreeMap<>(writes));
  }

  /** Fills all blocks that the range touches. */
  void write(long offset, long length, long number) {
    for (long block = offset / BLOCK; block * BLOCK < offset + length; block++) {
      writes.put(block, number);
    }
  }

  byte[] read(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      Long number = writes.get((offset + i) / BLOCK);
      bytes[i] = number == null ? 0 : (byte) (number * 31 + (offset + i) % 251 + 1);
    }
    return bytes;
  }

  long allocatedBytes() {
    return (long) writes.size() * BLOCK;
  }

  /** All blocks that were ever written, from the one that holds the offset on. */
  List<BlockMetadata> allocated(long from, BlockMetadataType type) {
    return tuples(writes.navigableKeySet(), from, type);
  }

  /** All blocks that differ from an older state, from the one that holds the offset on. */
  List<BlockMetadata> changedSince(BlockMap base, long from, BlockMetadataType type) {
    TreeSet<Long> changed = new TreeSet<>();
    for (Map.Entry<Long, Long> entry : writes.entrySet()) {
      if (!Objects.equals(base.writes.get(entry.getKey()), entry.getValue())) {
        changed.add(entry.getKey());
      }
    }
    for (Long block : base.writes.keySet()) {
      if (!writes.containsKey(block)) {
        changed.add(block);
      }
    }
    return tuples(changed, from, type);
  }

  private static List<BlockMetadata> tuples(
      Iterable<Long> blocks, long from, BlockMetadataType type) {
    List<BlockMetadata> found = new ArrayList<>();
    long start = -1;
    long end = -1;
    for (long block : blocks) {
      long offset = block * BLOCK;
      if (offset + BLOCK <= from) {
        continue;
      }
      if (type == BlockMetadataType.VARIABLE_LENGTH && offset == end) {
        end = offset + BLOCK;
        continue;
      }
      add(found, start, end);
      start = offset;
      end = offset + BLOCK;
    }
    add(found, start, end);
    return found;
  }

  private static void add(List<BlockMetadata> found, long start, long end) {
    if (start >= 0) {
      found.add(BlockMetadata.newBuilder().setByteOffset(start).setSizeBytes(end - start).build());
    }
  }
}
