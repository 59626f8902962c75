package dev.csijava.hostpath.blocks;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.metadata.ReplyStream;
import dev.csijava.core.metadata.SnapshotMetadata;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Which blocks of a snapshot of an image or a raw block volume hold data, and which differ between
 * two snapshots of one volume. It works without the source volume, and nothing is locked: a
 * snapshot never changes, and one that is deleted meanwhile stays open to the end.
 *
 * <p>A stream may begin at any offset; the first tuple is then the one whose block has that offset.
 * So what was received before an interruption and what a stream from there has are, together, what
 * one whole stream has. A snapshot that is listed is ready, so none is refused for not being so.
 */
public final class HostpathSnapshotMetadata implements SnapshotMetadata {
  private final ObjectStore snapshots;
  private final BlockMetadataType type;

  /**
   * @param type FIXED_LENGTH or VARIABLE_LENGTH
   */
  public HostpathSnapshotMetadata(ObjectStore snapshots, BlockMetadataType type) {
    this.snapshots = snapshots;
    this.type = type;
  }

  @Override
  public void getMetadataAllocated(
      GetMetadataAllocatedRequest request,
      ReplyStream<GetMetadataAllocatedResponse> replies,
      CallContext call) {
    Record snapshot = find("snapshot_id", request.getSnapshotId());
    long size = snapshot.getSizeBytes();
    requireInside(request.getStartingOffset(), size);
    BlockRanges ranges =
        ranges(
            size,
            request.getMaxResults(),
            tuples ->
                replies.send(
                    GetMetadataAllocatedResponse.newBuilder()
                        .setBlockMetadataType(type)
                        .setVolumeCapacityBytes(size)
                        .addAllBlockMetadata(tuples)
                        .build()));
    try (SnapshotFile file = open(snapshot)) {
      Runs runs = file.runs(firstBlock(request.getStartingOffset(), size), size);
      for (Optional<Run> run = runs.next(); run.isPresent(); run = runs.next()) {
        if (!run.get().hole()) {
          ranges.add(run.get().start(), run.get().end());
        }
      }
    } catch (IOException e) {
      throw unreadable(e);
    }
    ranges.finish();
  }

  @Override
  public void getMetadataDelta(
      GetMetadataDeltaRequest request,
      ReplyStream<GetMetadataDeltaResponse> replies,
      CallContext call) {
    Record base = find("base_snapshot_id", request.getBaseSnapshotId());
    Record target = find("target_snapshot_id", request.getTargetSnapshotId());
    requireOrder(base, target);
    long size = target.getSizeBytes();
    requireInside(request.getStartingOffset(), size);
    BlockRanges ranges =
        ranges(
            size,
            request.getMaxResults(),
            tuples ->
                replies.send(
                    GetMetadataDeltaResponse.newBuilder()
                        .setBlockMetadataType(type)
                        .setVolumeCapacityBytes(size)
                        .addAllBlockMetadata(tuples)
                        .build()));
    try (SnapshotFile baseFile = open(base);
        SnapshotFile targetFile = open(target)) {
      new Comparison(baseFile, targetFile, ranges, call)
          .run(
              firstBlock(request.getStartingOffset(), size),
              Math.min(base.getSizeBytes(), size),
              size);
    } catch (IOException e) {
      throw unreadable(e);
    }
    ranges.finish();
  }

  private BlockRanges ranges(long size, int maxResults, Consumer<List<BlockMetadata>> messages) {
    return new BlockRanges(type, size, maxResults, messages);
  }

  private Record find(String field, String id) {
    Record snapshot =
        snapshots
            .byId(id)
            .orElseThrow(() -> CsiException.notFound(field + ": there is no such snapshot"));
    if (snapshot.getBacking() == Backing.DIRECTORY) {
      throw CsiException.invalidArgument(
          field + ": the snapshot is one of a directory, which has no blocks");
    }
    return snapshot;
  }

  private static void requireOrder(Record base, Record target) {
    // Callers pass on what they are told, so this is the only check that there is.
    if (!base.getSnapshot().getSourceVolumeId().equals(target.getSnapshot().getSourceVolumeId())) {
      throw CsiException.invalidArgument(
          "base_snapshot_id and target_snapshot_id are snapshots of different volumes");
    }
    Comparator<Timestamp> byTime =
        Comparator.comparingLong(Timestamp::getSeconds).thenComparingInt(Timestamp::getNanos);
    if (byTime.compare(base.getCreated(), target.getCreated()) > 0) {
      throw CsiException.invalidArgument(
          "base_snapshot_id is a younger snapshot than target_snapshot_id");
    }
  }

  private static void requireInside(long offset, long size) {
    if (offset > size) {
      throw CsiException.outOfRange(
          "starting_offset is beyond the volume, which has " + size + " bytes");
    }
  }

  /** At the end of the volume there is no block any more, not even the end of a partial one. */
  private static long firstBlock(long offset, long size) {
    return offset == size ? size : BlockRanges.floor(offset);
  }

  private SnapshotFile open(Record snapshot) throws IOException {
    SnapshotFile file;
    try {
      file = SnapshotFile.open(snapshots.data(snapshot));
    } catch (NoSuchFileException e) {
      if (!snapshots.isKept(snapshot.getId())) {
        throw CsiException.notFound("the snapshot was deleted just now");
      }
      throw e;
    }
    boolean whole = false;
    try {
      whole = file.size() >= snapshot.getSizeBytes();
    } finally {
      if (!whole) {
        file.close();
      }
    }
    if (!whole) {
      throw new IOException("the file of the snapshot has been cut");
    }
    return file;
  }

  private static CsiException unreadable(IOException e) {
    return CsiException.internal(
        "the file of a snapshot can't be read: " + DiskErrors.reason(e), e);
  }
}
