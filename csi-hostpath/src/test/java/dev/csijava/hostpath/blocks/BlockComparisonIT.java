package dev.csijava.hostpath.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.copy.DescriptorFileCopier;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.testing.FakeCall;
import dev.csijava.hostpath.testing.TestMounts;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Changed and allocated blocks of random files against what reading every byte tells. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class BlockComparisonIT {
  private static final int BLOCK = BlockRanges.BLOCK_BYTES;
  private static final int ROUNDS = 12;

  @TempDir Path temporary;

  private final FileCopier copier = new DescriptorFileCopier();
  private TestMounts mounts;

  @BeforeEach
  void setUp() throws Exception {
    mounts = TestMounts.below(temporary);
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.close();
    }
  }

  @Test
  @DisplayName("SMETA-DELTA-007, SMETA-ALLOC-005 on the file system of the state directory")
  void whatDiffersIsWhatReadingTellsOnThisFileSystem() throws Exception {
    compareRandomVolumes(Files.createDirectory(mounts.directory().resolve("here")));
  }

  @Test
  @DisplayName("SMETA-DELTA-007, SMETA-ALLOC-005 where no map of extents is")
  void whatDiffersIsWhatReadingTellsInMemory() throws Exception {
    compareRandomVolumes(mounts.tmpfs("memory", "64m"));
  }

  @Test
  @DisplayName("SMETA-DELTA-007, SMETA-ALLOC-005 where snapshots share blocks")
  void whatDiffersIsWhatReadingTellsOnXfs() throws Exception {
    compareRandomVolumes(mounts.xfs("xfs"));
  }

  private void compareRandomVolumes(Path folder) throws Exception {
    long first = System.nanoTime();
    for (long seed = first; seed < first + ROUNDS; seed++) {
      Random random = new Random(seed);
      long size = 1L + random.nextInt(1_500_000);
      if (random.nextBoolean()) {
        size = (size / BLOCK + 1) * BLOCK;
      }
      RandomVolume volume = RandomVolume.make(folder.resolve("volume"), size, random);
      volume.change(random.nextInt(30));
      copier.copy(volume.path(), folder.resolve("base"));
      // So that also what is changed in the volume stays shared with some other file.
      copier.copy(volume.path(), folder.resolve("beside"));
      volume.change(random.nextInt(12));
      copier.copy(volume.path(), folder.resolve("target"));
      String what = "seed " + seed + " in " + folder.getFileName();
      check(folder.resolve("base"), folder.resolve("target"), size, random, what);
      for (String name : List.of("volume", "base", "beside", "target")) {
        Files.delete(folder.resolve(name));
      }
    }
  }

  private static void check(Path base, Path target, long size, Random random, String what)
      throws IOException {
    byte[] before = Files.readAllBytes(base);
    byte[] after = Files.readAllBytes(target);
    BitSet changed = blocks(before, after);
    BitSet notZero = blocks(new byte[after.length], after);
    List<Long> starts = new ArrayList<>(List.of(0L, size - 1, size));
    for (int i = 0; i < 5; i++) {
      starts.add(random.nextLong(size + 1));
    }
    for (long start : starts) {
      int from = Math.toIntExact(start == size ? (size + BLOCK - 1) / BLOCK : start / BLOCK);
      BitSet expected = changed.get(0, changed.length());
      expected.clear(0, from);
      for (BlockMetadataType type :
          List.of(BlockMetadataType.FIXED_LENGTH, BlockMetadataType.VARIABLE_LENGTH)) {
        assertThat(covered(delta(base, target, size, start, type), size, type, start))
            .as("delta, %s, start %d of %d, %s", what, start, size, type)
            .isEqualTo(expected);
        BitSet allocated = covered(allocated(target, size, start, type), size, type, start);
        BitSet missing = notZero.get(0, notZero.length());
        missing.clear(0, from);
        missing.andNot(allocated);
        assertThat(missing).as("not allocated, %s, start %d", what, start).matches(BitSet::isEmpty);
      }
    }
  }

  private static BitSet blocks(byte[] before, byte[] after) {
    BitSet differing = new BitSet();
    for (int at = 0; at < after.length; at += BLOCK) {
      int end = Math.min(at + BLOCK, after.length);
      if (!Arrays.equals(before, at, end, after, at, end)) {
        differing.set(at / BLOCK);
      }
    }
    return differing;
  }

  private static List<BlockMetadata> delta(
      Path base, Path target, long size, long start, BlockMetadataType type) throws IOException {
    List<BlockMetadata> tuples = new ArrayList<>();
    BlockRanges ranges = new BlockRanges(type, size, 7, tuples::addAll);
    try (SnapshotFile from = SnapshotFile.open(base);
        SnapshotFile to = SnapshotFile.open(target)) {
      new Comparison(from, to, ranges, new FakeCall())
          .run(start == size ? size : BlockRanges.floor(start), size, size);
    }
    ranges.finish();
    return tuples;
  }

  private static List<BlockMetadata> allocated(
      Path target, long size, long start, BlockMetadataType type) throws IOException {
    List<BlockMetadata> tuples = new ArrayList<>();
    BlockRanges ranges = new BlockRanges(type, size, 7, tuples::addAll);
    try (SnapshotFile file = SnapshotFile.open(target)) {
      Runs runs = file.runs(start == size ? size : BlockRanges.floor(start), size);
      for (Optional<Run> run = runs.next(); run.isPresent(); run = runs.next()) {
        if (!run.get().hole()) {
          ranges.add(run.get().start(), run.get().end());
        }
      }
    }
    ranges.finish();
    return tuples;
  }

  /** The blocks of a stream, after a look at its order and sizes. */
  private static BitSet covered(
      List<BlockMetadata> tuples, long size, BlockMetadataType type, long start) {
    BitSet blocks = new BitSet();
    long end = 0;
    for (BlockMetadata tuple : tuples) {
      long behind = tuple.getByteOffset() + tuple.getSizeBytes();
      assertThat(tuple.getByteOffset()).isGreaterThanOrEqualTo(end).isLessThan(size);
      assertThat(behind).isGreaterThan(start);
      if (type == BlockMetadataType.FIXED_LENGTH) {
        assertThat(tuple.getSizeBytes()).isEqualTo(BLOCK);
      } else {
        assertThat(tuple.getSizeBytes()).isPositive();
        assertThat(behind).isLessThanOrEqualTo(size);
        assertThat(end == 0 || tuple.getByteOffset() > end).as("ranges are joined").isTrue();
      }
      blocks.set(
          Math.toIntExact(tuple.getByteOffset() / BLOCK),
          Math.toIntExact((behind + BLOCK - 1) / BLOCK));
      end = behind;
    }
    return blocks;
  }

  @Test
  void holesAndWhatIsOnlyReservedAreNotAllocated() throws Exception {
    Path file = mounts.directory().resolve("sparse");
    try (var folder = OpenDirectory.parentOf(file);
        var open = folder.makeFile(FileName.last(file), 0600)) {
      open.setSize(1L << 40);
      open.allocate(1 << 20, 1 << 20);
    }
    RandomVolume volume = new RandomVolume(file, 1L << 40, new Random(1));
    assertThat(allocated(file, 1L << 40, 0, BlockMetadataType.VARIABLE_LENGTH)).isEmpty();
    try (var channel = FileChannel.open(volume.path(), StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(new byte[] {1}), 1L << 39);
    }
    assertThat(allocated(file, 1L << 40, 0, BlockMetadataType.VARIABLE_LENGTH))
        .containsExactly(
            BlockMetadata.newBuilder().setByteOffset(1L << 39).setSizeBytes(BLOCK).build());
    assertThat(allocated(file, 1L << 40, (1L << 39) + BLOCK, BlockMetadataType.FIXED_LENGTH))
        .isEmpty();
  }

  @Test
  void whatSnapshotsShareIsNotRead() throws Exception {
    Path folder = mounts.xfs("xfs");
    Path volume = folder.resolve("volume");
    byte[] bytes = new byte[8 << 20];
    new Random(2).nextBytes(bytes);
    Files.write(volume, bytes);
    copier.copy(volume, folder.resolve("base"));
    try (var channel = FileChannel.open(volume, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 4 << 20);
    }
    copier.copy(volume, folder.resolve("target"));
    List<BlockMetadata> tuples = new ArrayList<>();
    BlockRanges ranges =
        new BlockRanges(BlockMetadataType.FIXED_LENGTH, bytes.length, 0, tuples::addAll);
    try (CountedFile base = new CountedFile(DescriptorFile.open(folder.resolve("base")));
        CountedFile target = new CountedFile(DescriptorFile.open(folder.resolve("target")))) {
      new Comparison(base, target, ranges, new FakeCall()).run(0, bytes.length, bytes.length);
      assertThat(base.read + target.read).isLessThan(1 << 20);
    }
    ranges.finish();
    assertThat(tuples).extracting(BlockMetadata::getByteOffset).containsExactly(4L << 20);
  }

  /** Counts what is read. */
  private static final class CountedFile implements SnapshotFile {
    private final SnapshotFile file;
    private long read;

    CountedFile(SnapshotFile file) {
      this.file = file;
    }

    @Override
    public long size() throws IOException {
      return file.size();
    }

    @Override
    public boolean sharesPlacesWith(SnapshotFile other) {
      return other instanceof CountedFile counted && file.sharesPlacesWith(counted.file);
    }

    @Override
    public Runs runs(long start, long end) throws IOException {
      return file.runs(start, end);
    }

    @Override
    public void read(long offset, byte[] into, int length) throws IOException {
      read += length;
      file.read(offset, into, length);
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }

  @Test
  void withoutNativeAccessReadingTells() throws Exception {
    Path folder = mounts.directory();
    byte[] bytes = new byte[3 * BLOCK + 10];
    Path base = Files.write(folder.resolve("base"), bytes);
    bytes[3 * BLOCK + 9] = 1;
    Path target = Files.write(folder.resolve("target"), bytes);
    List<BlockMetadata> tuples = new ArrayList<>();
    BlockRanges ranges =
        new BlockRanges(BlockMetadataType.VARIABLE_LENGTH, bytes.length, 0, tuples::addAll);
    try (SnapshotFile from = ChannelFile.open(base);
        SnapshotFile to = ChannelFile.open(target)) {
      assertThat(to.size()).isEqualTo(bytes.length);
      new Comparison(from, to, ranges, new FakeCall()).run(0, bytes.length, bytes.length);
    }
    ranges.finish();
    assertThat(tuples)
        .containsExactly(
            BlockMetadata.newBuilder().setByteOffset(3 * BLOCK).setSizeBytes(10).build());
  }
}
