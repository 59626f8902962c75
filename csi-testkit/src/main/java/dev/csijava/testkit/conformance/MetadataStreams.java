package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** The two streams of SnapshotMetadata over two snapshots of one block volume. */
final class MetadataStreams {
  private final CaseContext context;
  private final Snapshot base;
  private final Snapshot target;

  MetadataStreams(CaseContext context, Snapshot base, Snapshot target) {
    this.context = context;
    this.base = base;
    this.target = target;
  }

  /** One message, of whichever stream. */
  record Part(BlockMetadataType type, long capacity, List<BlockMetadata> tuples) {}

  /** One of the two streams, to be read from an offset on. */
  @FunctionalInterface
  interface Stream {
    List<Part> read(long startingOffset, int maxResults);

    default List<BlockMetadata> tuples(long startingOffset, int maxResults) {
      return read(startingOffset, maxResults).stream().flatMap(p -> p.tuples().stream()).toList();
    }
  }

  /** Two snapshots, one after the other, of a new block volume. */
  static MetadataStreams fresh(CaseContext c) {
    Volume volume =
        c.make().supportedVolume(c.requests().block(Mode.SINGLE_NODE_WRITER), "block volumes");
    Snapshot base = c.make().snapshot(volume);
    return new MetadataStreams(c, base, c.make().snapshot(volume));
  }

  Snapshot base() {
    return base;
  }

  Snapshot target() {
    return target;
  }

  /**
   * Where the volume ends, in bytes, as the stream says; what the snapshot says may be less, where
   * it holds little, and is asked only if the stream is empty.
   */
  long size() {
    return context.prepare(() -> allocated().read(0, 1)).stream()
        .mapToLong(Part::capacity)
        .max()
        .orElse(target.getSizeBytes());
  }

  Stream allocated() {
    return (offset, max) ->
        allocated(
            context,
            GetMetadataAllocatedRequest.newBuilder()
                .setSnapshotId(target.getSnapshotId())
                .setStartingOffset(offset)
                .setMaxResults(max));
  }

  Stream delta() {
    return (offset, max) -> {
      Outcome<List<Part>> outcome =
          Outcome.of(
              () ->
                  delta(
                      context,
                      GetMetadataDeltaRequest.newBuilder()
                          .setBaseSnapshotId(base.getSnapshotId())
                          .setTargetSnapshotId(target.getSnapshotId())
                          .setStartingOffset(offset)
                          .setMaxResults(max)));
      context.need(
          outcome.code() != Status.Code.FAILED_PRECONDITION,
          "changed blocks are not tracked (" + outcome + "); --parameters may switch that on");
      return outcome.orThrow();
    };
  }

  List<Stream> both() {
    return List.of(allocated(), delta());
  }

  static List<Part> allocated(CaseContext c, GetMetadataAllocatedRequest.Builder request) {
    List<Part> parts = new ArrayList<>();
    c.metadata()
        .getMetadataAllocated(request.build())
        .forEachRemaining(
            (GetMetadataAllocatedResponse message) ->
                parts.add(
                    new Part(
                        message.getBlockMetadataType(),
                        message.getVolumeCapacityBytes(),
                        message.getBlockMetadataList())));
    return parts;
  }

  static List<Part> delta(CaseContext c, GetMetadataDeltaRequest.Builder request) {
    List<Part> parts = new ArrayList<>();
    c.metadata()
        .getMetadataDelta(request.build())
        .forEachRemaining(
            (GetMetadataDeltaResponse message) ->
                parts.add(
                    new Part(
                        message.getBlockMetadataType(),
                        message.getVolumeCapacityBytes(),
                        message.getBlockMetadataList())));
    return parts;
  }
}
