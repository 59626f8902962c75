package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the messages of one SnapshotMetadata stream, each by itself and against those before it.
 * One for each call; used by one thread at a time.
 */
final class MetadataStreamValidator {
  private final ResponseValidator messages;
  private final Message request;
  private final long startingOffset;
  private final int maxResults;

  private @Nullable Part first;
  private long blockSize;
  private long end;

  /**
   * @param request a GetMetadataAllocatedRequest or GetMetadataDeltaRequest
   * @throws IllegalArgumentException if it is neither
   */
  MetadataStreamValidator(ResponseValidator messages, Message request) {
    this.messages = messages;
    this.request = request;
    if (request instanceof GetMetadataAllocatedRequest allocated) {
      this.startingOffset = allocated.getStartingOffset();
      this.maxResults = allocated.getMaxResults();
    } else if (request instanceof GetMetadataDeltaRequest delta) {
      this.startingOffset = delta.getStartingOffset();
      this.maxResults = delta.getMaxResults();
    } else {
      throw new IllegalArgumentException(
          request.getDescriptorForType().getName() + " asks for no stream of block metadata");
    }
  }

  /**
   * Checks the next message of the stream.
   *
   * @throws CsiException INTERNAL if it must not be sent; the stream ends with it
   */
  void check(Message message) {
    messages.check(request, message);
    Violation violation = find(message);
    if (violation != null) {
      throw ResponseValidator.refusal(message, violation);
    }
  }

  private @Nullable Violation find(Message message) {
    Part part = Part.of(message);
    Part known = first == null ? part : first;
    first = known;
    if (part.type() != known.type()) {
      return new Violation(
          MetadataRules.SAME_TYPE,
          "block_metadata_type",
          "is " + part.type() + " after " + known.type() + " in the same stream");
    }
    if (part.capacity() != known.capacity()) {
      return new Violation(
          MetadataRules.SAME_CAPACITY,
          "volume_capacity_bytes",
          "is " + part.capacity() + " after " + known.capacity() + " in the same stream");
    }
    if (maxResults > 0 && part.ranges().size() > maxResults) {
      return new Violation(
          MetadataRules.NOT_TOO_MANY,
          "block_metadata",
          "has " + part.ranges().size() + " ranges where max_results is " + maxResults);
    }
    for (int i = 0; i < part.ranges().size(); i++) {
      Violation violation = find(part, part.ranges().get(i), "block_metadata[" + i + "]");
      if (violation != null) {
        return violation;
      }
    }
    return null;
  }

  private @Nullable Violation find(Part part, BlockMetadata range, String path) {
    long offset = range.getByteOffset();
    long size = range.getSizeBytes();
    if (offset >= part.capacity() || offset > Long.MAX_VALUE - size) {
      return new Violation(
          MetadataRules.INSIDE, path, "starts at " + offset + ", outside of the volume");
    }
    boolean isFirst = blockSize == 0;
    if (isFirst && offset + size <= startingOffset) {
      return new Violation(
          MetadataRules.AFTER_START,
          path,
          "ends at " + (offset + size) + ", not beyond starting_offset " + startingOffset);
    }
    if (offset < end) {
      return new Violation(
          MetadataRules.RISING,
          path,
          "starts at " + offset + ", but the range before it ends at " + end);
    }
    if (!isFirst && part.type() == BlockMetadataType.FIXED_LENGTH && size != blockSize) {
      return new Violation(
          MetadataRules.SAME_BLOCK,
          path,
          "has " + size + " bytes after blocks of " + blockSize + " in a FIXED_LENGTH stream");
    }
    blockSize = size;
    end = offset + size;
    return null;
  }

  /** What the messages of both streams have in common. */
  private record Part(BlockMetadataType type, long capacity, List<BlockMetadata> ranges) {
    static Part of(Message message) {
      if (message instanceof GetMetadataAllocatedResponse allocated) {
        return new Part(
            allocated.getBlockMetadataType(),
            allocated.getVolumeCapacityBytes(),
            allocated.getBlockMetadataList());
      }
      if (message instanceof GetMetadataDeltaResponse delta) {
        return new Part(
            delta.getBlockMetadataType(),
            delta.getVolumeCapacityBytes(),
            delta.getBlockMetadataList());
      }
      throw new IllegalArgumentException(
          message.getDescriptorForType().getName() + " is no message of such a stream");
    }
  }
}
