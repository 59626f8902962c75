package dev.csijava.hostpath.blocks;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Timestamp;
import dev.csijava.hostpath.disk.LocalDisk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.KernelMounts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.DataMaker;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.TestState;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The two streams on snapshots whose files are real. */
class HostpathSnapshotMetadataIT {
  private static final int BLOCK = 4096;
  private static final long SIZE = 40L * BLOCK;

  private StateDirectory state;
  private HostpathSnapshotMetadata metadata;

  @BeforeEach
  void open(@TempDir Path directory) throws IOException {
    state =
        StateDirectory.open(
            directory.toRealPath().resolve("state"),
            new LocalDisk(),
            new KernelMounts(),
            Steps.NONE,
            TestState.clock());
    metadata = new HostpathSnapshotMetadata(state.snapshots(), BlockMetadataType.FIXED_LENGTH);
  }

  @AfterEach
  void close() throws IOException {
    state.close();
  }

  private Record snapshot(
      String name, Backing backing, String volume, long bytes, int second, DataMaker maker) {
    Record.Builder draft =
        Record.newBuilder()
            .setName(name)
            .setSizeBytes(bytes)
            .setBacking(backing)
            .setCreated(Timestamp.newBuilder().setSeconds(second))
            .setSnapshot(SnapshotDetails.newBuilder().setSourceVolumeId(volume));
    if (backing == Backing.IMAGE) {
      draft.getFileSystemBuilder().setType("ext4").setFormatted(true);
    }
    return state.snapshots().create(draft.build(), maker);
  }

  /** One with a byte other than zero in each of these blocks. */
  private Record blocks(String name, String volume, long bytes, int second, int... blocks) {
    return snapshot(
        name,
        Backing.BLOCK,
        volume,
        bytes,
        second,
        data -> {
          try (FileChannel channel =
              FileChannel.open(data, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (int block : blocks) {
              int _ = channel.write(ByteBuffer.wrap(new byte[] {7}), (long) block * BLOCK + 9);
            }
            if (channel.size() < bytes) {
              int _ = channel.write(ByteBuffer.wrap(new byte[] {0}), bytes - 1);
            }
          }
        });
  }

  private List<GetMetadataAllocatedResponse> allocated(Record snapshot, long start, int most) {
    List<GetMetadataAllocatedResponse> messages = new ArrayList<>();
    metadata.getMetadataAllocated(
        GetMetadataAllocatedRequest.newBuilder()
            .setSnapshotId(snapshot.getId())
            .setStartingOffset(start)
            .setMaxResults(most)
            .build(),
        messages::add,
        new FakeCall());
    return messages;
  }

  private List<GetMetadataDeltaResponse> delta(String base, String target, long start, int most) {
    List<GetMetadataDeltaResponse> messages = new ArrayList<>();
    metadata.getMetadataDelta(
        GetMetadataDeltaRequest.newBuilder()
            .setBaseSnapshotId(base)
            .setTargetSnapshotId(target)
            .setStartingOffset(start)
            .setMaxResults(most)
            .build(),
        messages::add,
        new FakeCall());
    return messages;
  }

  private static List<Integer> blocksOf(List<BlockMetadata> tuples) {
    List<Integer> blocks = new ArrayList<>();
    for (BlockMetadata tuple : tuples) {
      for (long at = tuple.getByteOffset();
          at < tuple.getByteOffset() + tuple.getSizeBytes();
          at += BLOCK) {
        blocks.add(Math.toIntExact(at / BLOCK));
      }
    }
    return blocks;
  }

  private List<Integer> changed(Record base, Record target, long start) {
    return blocksOf(
        delta(base.getId(), target.getId(), start, 2).stream()
            .flatMap(message -> message.getBlockMetadataList().stream())
            .toList());
  }

  @Test
  @DisplayName("the Go driver answers a stream that was cancelled with OK")
  void aCallerThatWentAwayEndsTheStream() {
    Record base = blocks("base", "volume", SIZE, 1, 0);
    Record target = blocks("target", "volume", SIZE, 2, 1);
    List<GetMetadataDeltaResponse> messages = new ArrayList<>();

    assertFails(
        Status.Code.CANCELLED,
        () ->
            metadata.getMetadataDelta(
                GetMetadataDeltaRequest.newBuilder()
                    .setBaseSnapshotId(base.getId())
                    .setTargetSnapshotId(target.getId())
                    .build(),
                messages::add,
                new FakeCall(true)));
    assertThat(messages).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"FIXED_LENGTH", "VARIABLE_LENGTH"})
  @DisplayName("SMETA-STREAM-002, -005, -007, -011, -012, -013: both streams, from any offset")
  void whatIsLeftAfterAnInterruptionIsTheRest(BlockMetadataType type) {
    metadata = new HostpathSnapshotMetadata(state.snapshots(), type);
    Record base = blocks("base", "volume", SIZE, 1, 0, 1, 5, 38);
    Record target = blocks("target", "volume", SIZE, 2, 1, 2, 3, 4, 20, 39);
    List<Integer> expected = List.of(0, 2, 3, 4, 5, 20, 38, 39);
    assertThat(changed(base, target, 0)).isEqualTo(expected);
    for (long start = 0; start <= SIZE; start += 1000) {
      long block = start / BLOCK;
      assertThat(changed(base, target, start))
          .as("from %d", start)
          .isEqualTo(expected.stream().filter(one -> one >= block).toList());
    }
    List<GetMetadataAllocatedResponse> messages = allocated(target, 2 * BLOCK, 2);
    assertThat(messages)
        .allMatch(message -> message.getBlockMetadataType() == type)
        .allMatch(message -> message.getVolumeCapacityBytes() == SIZE)
        .allMatch(message -> message.getBlockMetadataCount() <= 2);
    assertThat(
            blocksOf(
                messages.stream()
                    .flatMap(message -> message.getBlockMetadataList().stream())
                    .toList()))
        .contains(2, 3, 4, 20, 39)
        .doesNotContain(0, 1, 30);
  }

  @Test
  @DisplayName("SMETA-ALLOC-004, SMETA-DELTA-006 the end is an offset, what is beyond is not")
  void theEndIsLegalAndEmptyAndWhatIsBeyondIsNot() {
    Record base = blocks("base", "volume", SIZE, 1, 0);
    Record target = blocks("target", "volume", SIZE, 2, 39);
    assertThat(changed(base, target, SIZE)).isEmpty();
    assertThat(delta(base.getId(), target.getId(), SIZE, 0)).hasSize(1);
    assertThat(allocated(target, SIZE, 0))
        .allMatch(message -> message.getBlockMetadataCount() == 0);
    assertFails(Status.Code.OUT_OF_RANGE, () -> allocated(target, SIZE + 1, 0));
    assertFails(Status.Code.OUT_OF_RANGE, () -> delta(base.getId(), target.getId(), SIZE + 1, 0));
  }

  @Test
  @DisplayName("SMETA-ALLOC-003, SMETA-DELTA-002, -004; callers pass base_snapshot_id unchecked")
  void onlySnapshotsOfOneVolumeAreCompared() {
    Record first = blocks("first", "volume", SIZE, 1, 0);
    Record second = blocks("second", "volume", SIZE, 2, 0);
    Record other = blocks("other", "other", SIZE, 1, 0);
    Record tree =
        snapshot("tree", Backing.DIRECTORY, "volume", SIZE, 1, data -> Files.createDirectory(data));
    String known = second.getId();
    assertFails(Status.Code.NOT_FOUND, () -> delta("none", known, 0, 0));
    assertFails(Status.Code.NOT_FOUND, () -> delta(known, "../" + known, 0, 0));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> delta(other.getId(), known, 0, 0));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> delta(known, first.getId(), 0, 0));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> delta(tree.getId(), known, 0, 0));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> delta(first.getId(), tree.getId(), 0, 0));
    assertFails(Status.Code.INVALID_ARGUMENT, () -> allocated(tree, 0, 0));
    assertFails(
        Status.Code.NOT_FOUND, () -> allocated(Record.newBuilder().setId("none").build(), 0, 0));
    // SMETA-STREAM-015
    assertThat(delta(known, known, 0, 0))
        .containsExactly(
            GetMetadataDeltaResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                .setVolumeCapacityBytes(SIZE)
                .build());
  }

  @Test
  void aVolumeThatHasGrownHasZerosWhereItWasNot() {
    Record base = blocks("base", "volume", 10L * BLOCK + 100, 1, 0, 9, 10);
    Record target = blocks("target", "volume", SIZE, 2, 0, 10, 30);
    assertThat(changed(base, target, 0)).containsExactly(9, 30);
    assertThat(changed(base, target, 29L * BLOCK)).containsExactly(30);
  }

  @Test
  void aPartialBlockAtTheEndCountsAsOne() {
    long odd = 3L * BLOCK + 20;
    Record base = blocks("base", "volume", odd, 1, 0);
    Record target = blocks("target", "volume", odd, 2, 3);
    assertThat(changed(base, target, 0)).containsExactly(0, 3);
    assertThat(changed(base, target, odd - 1)).containsExactly(3);
    assertThat(changed(base, target, odd)).isEmpty();
    metadata = new HostpathSnapshotMetadata(state.snapshots(), BlockMetadataType.VARIABLE_LENGTH);
    assertThat(delta(base.getId(), target.getId(), BLOCK, 0).getFirst().getBlockMetadataList())
        .containsExactly(
            BlockMetadata.newBuilder().setByteOffset(3 * BLOCK).setSizeBytes(20).build());
  }

  @Test
  @DisplayName("the Go driver races with deletes: here a stream goes on to its end")
  void aSnapshotThatIsDeletedMeanwhileIsReadToItsEnd() {
    Record base = blocks("base", "volume", SIZE, 1);
    Record target = blocks("target", "volume", SIZE, 2, 1, 10, 20, 30);
    List<Long> offsets = new ArrayList<>();
    metadata.getMetadataDelta(
        GetMetadataDeltaRequest.newBuilder()
            .setBaseSnapshotId(base.getId())
            .setTargetSnapshotId(target.getId())
            .setMaxResults(1)
            .build(),
        message -> {
          offsets.add(message.getBlockMetadata(0).getByteOffset());
          state.snapshots().delete(base);
          state.snapshots().delete(target);
        },
        new FakeCall());
    assertThat(offsets).containsExactly(4096L, 40960L, 81920L, 122880L);
    assertFails(Status.Code.NOT_FOUND, () -> allocated(target, 0, 0));
  }

  @Test
  @DisplayName("SMETA-STREAM-003 a damaged file ends the stream with an error")
  void aDamagedFileIsNoCleanEnd() throws IOException {
    Record cut = blocks("cut", "volume", SIZE, 1, 0);
    try (FileChannel channel =
        FileChannel.open(state.snapshots().data(cut), StandardOpenOption.WRITE)) {
      channel.truncate(BLOCK);
    }
    assertFails(Status.Code.INTERNAL, () -> allocated(cut, 0, 0));
    Record gone = blocks("gone", "volume", SIZE, 1, 0);
    Files.delete(state.snapshots().data(gone));
    assertFails(Status.Code.INTERNAL, () -> delta(gone.getId(), gone.getId(), 0, 0));
  }
}
