package dev.csijava.hostpath.blocks;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Makes messages of the bytes that it is told of, in rising order.
 *
 * <p>All is counted in blocks of {@value #BLOCK_BYTES} bytes, as the Go driver does. FIXED_LENGTH:
 * one tuple a block, each of the same size, so that the last one may end behind a volume whose size
 * is no multiple. VARIABLE_LENGTH: one tuple for as many blocks as lie side by side, the last one
 * cut at the end of the volume.
 */
final class BlockRanges {
  static final int BLOCK_BYTES = 4096;

  /** What the Go driver has. */
  static final int USUAL = 256;

  /** A message of so many stays far below what callers take. */
  private static final int MOST = 8192;

  private final boolean fixed;
  private final long size;
  private final int most;
  private final Consumer<List<BlockMetadata>> messages;
  private final List<BlockMetadata> batch = new ArrayList<>();
  private boolean sent;
  private long start;
  private long end;

  /**
   * @param size of the volume, in bytes
   * @param maxResults how many tuples a message may have; 0 leaves it to us
   * @param messages takes the tuples of one message
   */
  BlockRanges(
      BlockMetadataType type, long size, int maxResults, Consumer<List<BlockMetadata>> messages) {
    this.fixed = type == BlockMetadataType.FIXED_LENGTH;
    this.size = size;
    this.most = maxResults == 0 ? USUAL : Math.min(maxResults, MOST);
    this.messages = messages;
  }

  /** The first byte of the block that a byte lies in. */
  static long floor(long at) {
    return at - at % BLOCK_BYTES;
  }

  /** The first byte behind the block that a byte lies in. */
  static long endOfBlock(long at) {
    return floor(at) + BLOCK_BYTES;
  }

  /**
   * Takes in every block that has one of these bytes.
   *
   * @param first not before that of the last call
   * @param behind the first byte that is not meant
   */
  void add(long first, long behind) {
    long from = Math.max(floor(first), end);
    long to = endOfBlock(behind - 1);
    if (from >= to) {
      return;
    }
    if (from > end) {
      flush();
      start = from;
    }
    end = to;
    if (fixed) {
      flush();
    }
  }

  private void flush() {
    while (start < end) {
      long bytes = fixed ? BLOCK_BYTES : Math.min(end, size) - start;
      batch.add(BlockMetadata.newBuilder().setByteOffset(start).setSizeBytes(bytes).build());
      start = fixed ? start + BLOCK_BYTES : end;
      if (batch.size() == most) {
        send();
      }
    }
  }

  /** Sends what is left; a stream has one message at least, which tells the size of the volume. */
  void finish() {
    flush();
    if (!batch.isEmpty() || !sent) {
      send();
    }
  }

  private void send() {
    messages.accept(List.copyOf(batch));
    batch.clear();
    sent = true;
  }
}
