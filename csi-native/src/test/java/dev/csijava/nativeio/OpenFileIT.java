package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.mount.MountsBelow;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The content of files, by descriptor, on the disk of this machine, tmpfs and xfs. Needs root. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OpenFileIT {
  private static final int MIB = 1 << 20;

  @TempDir Path temporary;

  private MountsBelow mounts;
  private Path root;

  @BeforeEach
  void setUp() throws Exception {
    root = temporary.toRealPath();
    MountsBelow.assumePermitted(root);
    mounts = new MountsBelow(root);
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
  }

  private static String error(ThrowingCallable call) {
    LinuxException error = catchThrowableOfType(LinuxException.class, call);
    assertThat(error).as("an error").isNotNull();
    return String.valueOf(error.getMessage());
  }

  private static void write(Path file, long at, byte[] bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(bytes), at);
    }
  }

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) 7);
    return bytes;
  }

  private static OpenFile open(Path file) throws IOException {
    try (OpenDirectory directory = OpenDirectory.parentOf(file)) {
      return directory.file(FileName.of(file.getFileName().toString()), OpenFile.Access.READ_WRITE);
    }
  }

  private static OpenFile make(Path file) throws IOException {
    try (OpenDirectory directory = OpenDirectory.parentOf(file)) {
      return directory.makeFile(FileName.of(file.getFileName().toString()), 0600);
    }
  }

  private Path tmpfs(String size) throws Exception {
    Path point = Files.createDirectory(root.resolve("tmpfs"));
    run("mount", "-n", "-t", "tmpfs", "-o", "size=" + size, "t", point.toString());
    return point;
  }

  @Test
  void holesAreFoundCopiedPunchedAndFilled() throws Exception {
    Path from = root.resolve("from");
    write(from, 0, bytes(MIB));
    write(from, 8L * MIB, bytes(MIB));
    try (OpenFile source = open(from);
        OpenFile target = make(root.resolve("to"))) {
      assertThat(source.nextData(0)).hasValue(0);
      assertThat(source.nextHole(0)).isEqualTo(MIB);
      assertThat(source.nextData(MIB)).hasValue(8L * MIB);
      assertThat(source.nextHole(8L * MIB)).isEqualTo(9L * MIB);
      assertThat(source.nextData(9L * MIB)).isEmpty();
      assertThat(error(() -> source.nextHole(10L * MIB))).isEqualTo("lseek answered ENXIO");
      target.setSize(source.status().size());
      assertThat(source.copyTo(target, 0, MIB)).isEqualTo(MIB);
      assertThat(source.copyTo(target, 8L * MIB, 5L * MIB)).isEqualTo(MIB);
      assertThat(target.nextHole(0)).isEqualTo(MIB);
      target.sync();
      assertThat(Files.mismatch(from, root.resolve("to"))).isEqualTo(-1);
      target.punchHole(0, MIB);
      target.syncData();
      assertThat(target.nextData(0)).hasValue(8L * MIB);
      target.zeroRange(8L * MIB, MIB);
      target.allocate(10L * MIB, MIB);
      target.syncFileSystem();
      assertThat(target.status().size()).isEqualTo(11L * MIB);
      assertThat(target.status().allocated()).isBetween(2L * MIB, 3L * MIB);
      assertThat(Files.readAllBytes(root.resolve("to"))).containsOnly(0);
    }
  }

  @Test
  void aCopyBetweenTwoKindsOfFileSystemGoesThroughMemory() throws Exception {
    Path from = tmpfs("16m").resolve("from");
    write(from, 3, bytes(5 * MIB));
    try (OpenFile source = open(from);
        OpenFile target = make(root.resolve("to"))) {
      assertThat(source.copyTo(target, 0, Long.MAX_VALUE)).isEqualTo(5 * MIB + 3);
      assertThat(target.shareBlocksOf(source)).isFalse();
      assertThat(error(() -> source.extents(0).next())).contains("FS_IOC_FIEMAP answered");
    }
    assertThat(Files.mismatch(from, root.resolve("to"))).isEqualTo(-1);
  }

  @Test
  void aFullDiskIsNamed() throws Exception {
    Path small = tmpfs("1m");
    write(root.resolve("from"), 0, bytes(2 * MIB));
    try (OpenFile source = open(root.resolve("from"));
        OpenFile target = make(small.resolve("to"))) {
      LinuxException full =
          catchThrowableOfType(LinuxException.class, () -> source.copyTo(target, 0, 2 * MIB));
      assertThat(full).hasMessage("pwrite64 answered ENOSPC");
      assertThat(full.is(Errno.EIO, Errno.ENOSPC)).isTrue();
      assertThat(error(() -> target.allocate(0, 2 * MIB))).isEqualTo("fallocate answered ENOSPC");
    }
  }

  @Test
  void extentsAreReadInOrderHoweverManyThereAre() throws Exception {
    Path from = root.resolve("from");
    int pieces = 1200;
    for (int i = 0; i < pieces; i++) {
      write(from, i * 8192L, bytes(4096));
    }
    try (OpenFile file = open(from)) {
      file.allocate(pieces * 8192L, MIB);
      List<Extent> all = extents(file, 0);
      assertThat(all).hasSizeGreaterThan(pieces);
      long end = 0;
      for (Extent one : all) {
        assertThat(one.offset()).isGreaterThanOrEqualTo(end);
        end = one.end();
        assertThat(one.unwritten()).isEqualTo(one.offset() >= pieces * 8192L);
      }
      assertThat(all.get(0).placed()).isTrue();
      assertThat(end).isEqualTo(pieces * 8192L + MIB);
      assertThat(extents(file, 8192L * 1000).get(0).offset()).isEqualTo(8192L * 1000);
      file.setSize(0);
      assertThat(extents(file, 0)).isEmpty();
    }
  }

  private static List<Extent> extents(OpenFile file, long from) throws IOException {
    List<Extent> all = new ArrayList<>();
    ExtentMap map = file.extents(from);
    for (Extent one = map.next().orElse(null); one != null; one = map.next().orElse(null)) {
      all.add(one);
    }
    return all;
  }

  @Test
  @DisplayName("B125 blocks are shared where the file system can, and the map says so")
  void blocksAreSharedOnXfs() throws Exception {
    Path point = Volumes.xfs(root);
    write(point.resolve("from"), MIB, bytes(4 * MIB));
    try (OpenFile source = open(point.resolve("from"));
        OpenFile target = make(point.resolve("to"))) {
      assertThat(target.shareBlocksOf(source)).isTrue();
      Extent original = extents(source, 0).get(0);
      assertThat(original.shared()).isTrue();
      assertThat(original.offset()).isEqualTo(MIB);
      assertThat(extents(target, 0).get(0)).isEqualTo(original);
      assertThat(target.status().size()).isEqualTo(5 * MIB);
      assertThat(target.nextData(0)).hasValue(MIB);
    }
  }

  @Test
  void aLockIsForOneOpenFileAlone() throws Exception {
    write(root.resolve("f"), 0, bytes(1));
    try (OpenFile first = open(root.resolve("f"))) {
      try (OpenFile second = open(root.resolve("f"))) {
        assertThat(first.tryLock()).isTrue();
        assertThat(second.tryLock()).isFalse();
        first.unlock();
        assertThat(second.tryLock()).isTrue();
      }
      assertThat(first.tryLock()).isTrue();
    }
  }

  @Test
  void aFrozenFileSystemIsThawedAndThawingAnotherIsNoError() throws Exception {
    Path point = Volumes.ext4(root);
    try {
      assertThat(FileSystemFreeze.thaw(point)).isFalse();
      assertThat(FileSystemFreeze.freeze(point)).isTrue();
      assertThat(FileSystemFreeze.freeze(point)).isFalse();
    } finally {
      assertThat(FileSystemFreeze.thaw(point)).isTrue();
    }
    Files.writeString(point.resolve("f"), "written after the thaw");
    Path memory = tmpfs("1m");
    assertThat(error(() -> FileSystemFreeze.freeze(memory)))
        .isEqualTo("FIFREEZE answered EOPNOTSUPP");
    assertThat(error(() -> FileSystemFreeze.freeze(root.resolve("none")))).contains("ENOENT");
  }

  @Test
  void aBlockDeviceTellsItsSizeAndAFileIsNone() throws Exception {
    assertThat(error(() -> BlockDevice.size(Path.of("/dev/null"))))
        .isEqualTo("BLKGETSIZE64 answered ENOTTY");
    assertThat(error(() -> BlockDevice.size(root.resolve("none")))).contains("ENOENT");
  }
}
