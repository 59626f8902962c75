package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.List;

/** GetMetadataAllocated and GetMetadataDelta: their arguments, and whether they tell the truth. */
final class MetadataCallCases implements CaseGroup {
  private static final int WRITTEN = 64 << 10;
  private static final long[] FIRST = {0, 4L << 20, 32L << 20};
  private static final long LEAST = 64L << 20;
  private static final long[] SECOND = {4L << 20, 48L << 20};

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "SMETA-ALLOC-001",
            c -> c.refused(() -> MetadataStreams.allocated(c, allocated(c).setSnapshotId("")))),
        Case.of(
            "SMETA-ALLOC-002",
            c -> c.refused(() -> MetadataStreams.allocated(c, allocated(c).setMaxResults(-1)))),
        Case.of(
            "SMETA-ALLOC-003",
            c ->
                c.refused(
                    () ->
                        MetadataStreams.allocated(
                            c, allocated(c).setSnapshotId(c.requests().unknownId())))),
        Case.of("SMETA-ALLOC-004", MetadataCallCases::allocatedOffsets),
        Case.of("SMETA-ALLOC-005", MetadataCallCases::writtenRanges),
        Case.of("SMETA-DELTA-001", MetadataCallCases::missingIds),
        Case.of("SMETA-DELTA-002", MetadataCallCases::notComparable),
        Case.of(
            "SMETA-DELTA-003",
            c -> c.refused(() -> MetadataStreams.delta(c, delta(c).setMaxResults(-1)))),
        Case.of("SMETA-DELTA-004", MetadataCallCases::unknownSnapshots),
        Case.of("SMETA-DELTA-006", MetadataCallCases::deltaOffsets),
        Case.of("SMETA-DELTA-007", MetadataCallCases::changedRanges));
  }

  private static GetMetadataAllocatedRequest.Builder allocated(CaseContext c) {
    return GetMetadataAllocatedRequest.newBuilder()
        .setSnapshotId(MetadataStreams.fresh(c).target().getSnapshotId());
  }

  private static GetMetadataDeltaRequest.Builder delta(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    return delta(streams.base(), streams.target());
  }

  private static GetMetadataDeltaRequest.Builder delta(Snapshot base, Snapshot target) {
    return GetMetadataDeltaRequest.newBuilder()
        .setBaseSnapshotId(base.getSnapshotId())
        .setTargetSnapshotId(target.getSnapshotId());
  }

  private static void allocatedOffsets(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    c.refused(() -> streams.allocated().read(-1, 0));
    c.refused(() -> streams.allocated().read(streams.size() + 1, 0));
  }

  private static void deltaOffsets(CaseContext c) {
    MetadataStreams streams = MetadataStreams.fresh(c);
    c.refused(() -> streams.delta().read(-1, 0));
    c.refused(() -> streams.delta().read(streams.size() + 1, 0));
  }

  private static void missingIds(CaseContext c) {
    GetMetadataDeltaRequest.Builder request = delta(c);
    c.refused(() -> MetadataStreams.delta(c, request.clone().setBaseSnapshotId("")));
    c.refused(() -> MetadataStreams.delta(c, request.clone().setTargetSnapshotId("")));
  }

  private static void notComparable(CaseContext c) {
    MetadataStreams one = MetadataStreams.fresh(c);
    MetadataStreams other = MetadataStreams.fresh(c);
    c.refused(() -> MetadataStreams.delta(c, delta(one.base(), other.target())));
    c.refused(() -> MetadataStreams.delta(c, delta(one.target(), one.base())));
  }

  private static void unknownSnapshots(CaseContext c) {
    GetMetadataDeltaRequest.Builder request = delta(c);
    String unknown = c.requests().unknownId();
    c.refused(() -> MetadataStreams.delta(c, request.clone().setBaseSnapshotId(unknown)));
    c.refused(() -> MetadataStreams.delta(c, request.clone().setTargetSnapshotId(unknown)));
  }

  private static void writtenRanges(CaseContext c) throws IOException {
    Device device = Device.of(c);
    device.write(FIRST, (byte) 0x5a);
    MetadataStreams.Stream stream =
        new MetadataStreams(c, device.snapshot(c), device.snapshot(c)).allocated();
    covered(c, "SMETA-ALLOC-005", c.ok(() -> stream.tuples(0, 0)), FIRST);
  }

  private static void changedRanges(CaseContext c) throws IOException {
    Device device = Device.of(c);
    device.write(FIRST, (byte) 0x5a);
    Snapshot base = device.snapshot(c);
    device.write(SECOND, (byte) 0x3c);
    MetadataStreams.Stream stream = new MetadataStreams(c, base, device.snapshot(c)).delta();
    covered(c, "SMETA-DELTA-007", c.ok(() -> stream.tuples(0, 0)), SECOND);
  }

  private static void covered(
      CaseContext c, String row, List<BlockMetadata> tuples, long[] offsets) {
    ByteRanges ranges = ByteRanges.from(0, tuples);
    for (long offset : offsets) {
      c.check(
          row,
          ranges.covers(offset, offset + WRITTEN),
          "the " + WRITTEN + " bytes written at " + offset,
          ranges);
    }
  }

  /** A published block volume that the kit can write to. */
  private record Device(Volume volume, Path target) {
    static Device of(CaseContext c) {
      c.needs("service:Node");
      c.need(c.settings().size() >= LEAST, "needs volumes of 64Mi at least (--size)");
      c.make().onNode().needFiles();
      VolumeCapability capability = c.requests().block(Mode.SINGLE_NODE_WRITER);
      OnNode volume =
          c.make()
              .onNode()
              .stage(c.make().supportedVolume(capability, "block volumes"), capability);
      Path target = Path.of(c.make().onNode().publish(volume));
      c.need(
          Files.exists(target) && !Files.isRegularFile(target) && !Files.isDirectory(target),
          "no block device that the kit can write to is seen at the target");
      return new Device(volume.volume(), target);
    }

    void write(long[] offsets, byte content) throws IOException {
      byte[] bytes = new byte[WRITTEN];
      Arrays.fill(bytes, content);
      try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
        for (long offset : offsets) {
          channel.write(ByteBuffer.wrap(bytes), offset);
        }
        channel.force(true);
      }
    }

    Snapshot snapshot(CaseContext c) {
      return c.make().snapshot(volume);
    }
  }
}
