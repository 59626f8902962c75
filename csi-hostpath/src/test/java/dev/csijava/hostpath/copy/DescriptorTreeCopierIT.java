package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.testing.DeepTree;
import dev.csijava.hostpath.testing.TestMounts;
import dev.csijava.nativeio.Extent;
import dev.csijava.nativeio.FileName;
import dev.csijava.nativeio.OpenDirectory;
import dev.csijava.nativeio.OpenFile;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Copies of real trees (rule K12). Needs root. */
@Timeout(value = 240, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DescriptorTreeCopierIT {
  @TempDir Path temporary;

  private final TreeCopier copier = new DescriptorTreeCopier();
  private TestMounts mounts;
  private Path root;

  @BeforeEach
  void setUp() throws Exception {
    mounts = TestMounts.below(temporary);
    root = mounts.directory();
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.close();
    }
  }

  @Test
  @DisplayName("B127 B128 a copy equals its source in all that can be seen")
  void aCopyEqualsItsSource() throws Exception {
    Path from = root.resolve("from");
    SampleTree.make(from);
    Map<String, String> before = TreePicture.of(from);
    copier.copy(from, root.resolve("to"));
    assertThat(TreePicture.of(root.resolve("to"))).isEqualTo(before);
    assertThat(TreePicture.of(from)).isEqualTo(before);
    assertThat(before).hasSize(22);
    copier.copy(root.resolve("to"), root.resolve("again"));
    assertThat(TreePicture.of(root.resolve("again"))).isEqualTo(before);
  }

  @Test
  @DisplayName("a copy that takes long says how far it is: by entries, and within a large file")
  void aCopyThatTakesLongSaysHowFarItIs() throws Exception {
    // Where blocks can be shared, a large file takes no time.
    Path memory = mounts.tmpfs("memory", "16m");
    Path from = Files.createDirectory(memory.resolve("from"));
    Files.createDirectory(from.resolve("below"));
    Files.write(from.resolve("file"), new byte[3 << 20]);
    Files.createSymbolicLink(from.resolve("below/link"), Path.of("nowhere"));
    Path to = Files.createDirectory(memory.resolve("to"));
    AtomicLong clock = new AtomicLong();
    List<String> said = new ArrayList<>();
    CopyProgress slow =
        new CopyProgress(from, () -> clock.addAndGet(Duration.ofMinutes(1).toNanos()), said::add);
    OpenDirectory target = OpenDirectory.at(to);
    try (CopyFrame frame = new CopyFrame(FileName.of("from"), OpenDirectory.at(from), target);
        TreeCopy copy = new TreeCopy(target, false, slow)) {
      copy.run(frame);
    }

    assertThat(said)
        .hasSize(4)
        .contains("still copying " + from + ": 1 entries and 3 MiB so far")
        .last()
        .isEqualTo("still copying " + from + ": 3 entries and 3 MiB so far");
  }

  @Test
  @DisplayName("B127 B128 a copy on another kind of file system is equal but for its holes")
  void aCopyOnAnotherKindOfFileSystemIsEqual() throws Exception {
    Path from = root.resolve("from");
    SampleTree.make(from);
    Path memory = mounts.tmpfs("memory", "64m");
    copier.copy(from, memory.resolve("to"));
    assertThat(TreePicture.of(memory.resolve("to"), false)).isEqualTo(TreePicture.of(from, false));
    Path shared = mounts.xfs("xfs");
    copier.copy(memory.resolve("to"), shared.resolve("to"));
    assertThat(TreePicture.of(shared.resolve("to"), false)).isEqualTo(TreePicture.of(from, false));
  }

  @Test
  void nothingIsInheritedFromWhereTheCopyLies() throws Exception {
    Path from = root.resolve("from");
    SampleTree.make(from);
    Path folder = Files.createDirectory(root.resolve("folder"));
    try (OpenDirectory directory = OpenDirectory.at(folder)) {
      directory.setAttribute("system.posix_acl_default", SampleTree.ACL);
      directory.setOwner(5, 6);
      directory.setMode(02777);
    }
    copier.copy(from, folder.resolve("to"));
    assertThat(TreePicture.of(folder.resolve("to"))).isEqualTo(TreePicture.of(from));
  }

  @Test
  @DisplayName("B125 blocks are shared where the file system can")
  void blocksAreSharedOnXfs() throws Exception {
    Path xfs = mounts.xfs("xfs");
    SampleTree.make(xfs.resolve("from"));
    copier.copy(xfs.resolve("from"), xfs.resolve("to"));
    assertThat(TreePicture.of(xfs.resolve("to"))).isEqualTo(TreePicture.of(xfs.resolve("from")));
    try (OpenDirectory to = OpenDirectory.at(xfs.resolve("to"));
        OpenFile copy = to.file(FileName.of("sparse"), OpenFile.Access.READ)) {
      Extent first = copy.extents(0).next().orElseThrow();
      assertThat(first.shared()).isTrue();
    }
  }

  @Test
  @DisplayName("B125 a sparse file of 20 GiB stays small, with the same holes")
  void aSparseFileStaysSmall() throws Exception {
    Path from = Files.createDirectory(root.resolve("from"));
    SampleTree.sparse(from.resolve("disk"), 20L << 30);
    copier.copy(from, root.resolve("to"));
    assertThat(TreePicture.of(root.resolve("to"))).isEqualTo(TreePicture.of(from));
    try (OpenDirectory to = OpenDirectory.at(root.resolve("to"));
        OpenFile copy = to.file(FileName.of("disk"), OpenFile.Access.READ)) {
      assertThat(copy.status().allocated()).isLessThan(2 << 20);
    }
  }

  @Test
  void namesThatLieOutsideOfTheTreeLeaveNothingBehind() throws Exception {
    Path from = Files.createDirectory(root.resolve("from"));
    Files.writeString(from.resolve("a"), "x");
    Files.createLink(root.resolve("outside"), from.resolve("a"));
    Files.createLink(from.resolve("b"), from.resolve("a"));
    copier.copy(from, root.resolve("to"));
    Path copied = root.resolve("to");
    try (Stream<Path> names = Files.list(copied)) {
      assertThat(names.map(name -> name.getFileName().toString()))
          .containsExactlyInAnyOrder("a", "b");
    }
    assertThat(Files.getAttribute(copied.resolve("a"), "unix:nlink")).isEqualTo(2);
    assertThat(Files.isSameFile(copied.resolve("a"), copied.resolve("b"))).isTrue();
  }

  @Test
  void aDeepTreeIsCopiedWithFewDescriptors() throws Exception {
    Path memory = mounts.tmpfs("memory", "64m");
    Path from = Files.createDirectory(memory.resolve("from"));
    DeepTree.make(from, 5_000);
    copier.copy(from, memory.resolve("to"));
    assertThat(DeepTree.depth(memory.resolve("to"))).isEqualTo(5_000);
  }

  @Test
  void aMountBelowIsNotEntered() throws Exception {
    Path from = Files.createDirectory(root.resolve("from"));
    Path inner = Files.createDirectory(from.resolve("inner"));
    Path secret = mounts.tmpfs("secret", "1m");
    Files.writeString(secret.resolve("secret"), "x");
    TestMounts.run("mount", "-n", "--bind", secret.toString(), inner.toString());
    copier.copy(from, root.resolve("to"));
    assertThat(root.resolve("to/inner")).isEmptyDirectory();
  }

  @Test
  @DisplayName("B020 a workload that swaps directories for links gets nothing out of a copy")
  void aDirectorySwappedForALinkLeadsNowhere() throws Exception {
    Path secret = Files.createDirectory(root.resolve("secret"));
    Files.writeString(secret.resolve("shadow"), "secret");
    // In memory, where each copy is on disk at once.
    Path memory = mounts.tmpfs("memory", "64m");
    Path from = Files.createDirectory(memory.resolve("from"));
    for (int i = 0; i < 50; i++) {
      Files.createDirectories(from.resolve("d" + i + "/e"));
      Files.writeString(from.resolve("d" + i + "/e/shadow"), "harmless");
    }
    AtomicBoolean end = new AtomicBoolean();
    Thread workload = new Thread(() -> swap(from, secret, end));
    workload.start();
    try {
      for (int round = 0; round < 25; round++) {
        Path to = memory.resolve("to" + round);
        copier.copy(from, to);
        try (Stream<Path> all = Files.walk(to)) {
          for (Path one :
              all.filter(p -> Files.isRegularFile(p, LinkOption.NOFOLLOW_LINKS)).toList()) {
            assertThat(one).hasContent("harmless");
          }
        }
      }
    } finally {
      end.set(true);
      workload.join();
    }
  }

  private static void swap(Path from, Path secret, AtomicBoolean end) {
    try {
      for (int i = 0; !end.get(); i = (i + 1) % 50) {
        Path inner = from.resolve("d" + i + "/e");
        Path aside = from.resolve("d" + i + "/aside");
        Files.move(inner, aside);
        Files.createSymbolicLink(inner, secret);
        Files.delete(inner);
        Files.move(aside, inner);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void aFullDiskEndsTheCopyAndIsNamed() throws Exception {
    Path from = Files.createDirectory(root.resolve("from"));
    Files.write(from.resolve("large"), new byte[2 << 20]);
    Path small = mounts.tmpfs("small", "1m");
    for (TreeCopier one : new TreeCopier[] {copier, copier.ignoringFailedReads()}) {
      Path to = Files.createTempDirectory(small, "").resolve("to");
      IOException error = catchThrowableOfType(IOException.class, () -> one.copy(from, to));
      assertThat(error).hasMessageContaining("could not copy").hasMessageContaining("ENOSPC");
      assertThat(DiskErrors.nothingLeft("make a snapshot", error).code())
          .isEqualTo(Code.RESOURCE_EXHAUSTED);
      assertThat(to.resolve("large")).doesNotExist();
    }
  }

  @Test
  void whatCannotBeReadEndsTheCopyUnlessItIsToBeLeftOut() throws Exception {
    // The kernel's own: a file that nobody may read, not even root, beside some that all may.
    Path from = Path.of("/proc/sys/net/ipv4/route");
    IOException error =
        catchThrowableOfType(IOException.class, () -> copier.copy(from, root.resolve("to")));
    assertThat(error).hasMessageContaining("could not copy \"flush\"");
    copier.ignoringFailedReads().copy(from, root.resolve("to2"));
    assertThat(root.resolve("to2/flush")).doesNotExist();
    assertThat(root.resolve("to2/max_size")).exists();
  }

  @Test
  void nothingIsOverwrittenAndAMissingSourceIsNamed() throws Exception {
    Path from = Files.createDirectory(root.resolve("from"));
    Path there = Files.createDirectory(root.resolve("there"));
    Files.createFile(there.resolve("kept"));
    assertThat(catchThrowableOfType(IOException.class, () -> copier.copy(from, there)))
        .hasMessageContaining("EEXIST");
    assertThat(there.resolve("kept")).exists();
    Path link = Files.createSymbolicLink(root.resolve("link"), from);
    for (Path bad : new Path[] {root.resolve("none"), link}) {
      assertThat(catchThrowableOfType(IOException.class, () -> copier.copy(bad, root.resolve("x"))))
          .hasMessageContaining("could not copy " + bad);
    }
    assertThat(root.resolve("x")).doesNotExist();
  }
}
