package dev.csijava.core.mount;

import static dev.csijava.core.mount.MountsBelow.exitCode;
import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions.Flag;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link Mounter} keeps, shown with real mounts. Needs root. Other modules run it too.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class MounterContract {
  @TempDir Path temporary;

  private MountsBelow mounts;
  private Mounter mounter;
  private Path source;
  private Path target;

  /** A mounter that remembers nothing. */
  protected abstract Mounter newMounter();

  @BeforeEach
  void setUp() throws Exception {
    Path directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
    mounter = newMounter();
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
    Files.writeString(source.resolve("hello"), "world");
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
  }

  private static Code code(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error.code();
  }

  private Path sibling(String name) throws IOException {
    return Files.createDirectory(source.resolveSibling(name));
  }

  private static void bindByHand(Path from, Path to) throws Exception {
    run("mount", "-n", "--bind", "--", from.toString(), to.toString());
  }

  @Test
  @DisplayName("B028a a bound directory shows the source and ends with one unmount")
  void aDirectoryIsBound() throws IOException {
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(target.resolve("hello")).hasContent("world");
    Files.writeString(target.resolve("new"), "x");
    assertThat(source.resolve("new")).exists();
    assertThat(mounter.isMountOf(source, target)).isTrue();
    assertThat(mounter.isMountOf(temporary, target)).isFalse();
    mounter.unmount(target);
    assertThat(target).isEmptyDirectory();
    assertThat(mounter.mountAt(target)).isEmpty();
  }

  @Test
  @DisplayName("B028b a bound file shows the source and ends with one unmount")
  void aFileIsBound() throws IOException {
    Path file = Files.createFile(target.resolveSibling("file"));
    mounter.bind(source.resolve("hello"), file, MountOptions.NONE);
    mounter.bind(source.resolve("hello"), file, MountOptions.NONE);
    assertThat(file).hasContent("world");
    assertThat(mounts.list()).hasSize(1);
    mounter.unmount(file);
    assertThat(file).isEmptyFile();
  }

  @Test
  @DisplayName("B028 a device node is bound onto a file")
  void aDeviceIsBoundOntoAFile() throws IOException {
    Path file = Files.createFile(target.resolveSibling("device"));
    mounter.bind(Path.of("/dev/null"), file, MountOptions.NONE);
    assertThat(mounter.isMountOf(Path.of("/dev/null"), file)).isTrue();
    mounter.unmount(file);
    assertThat(file).isEmptyFile();
  }

  @Test
  @DisplayName("B025 B027 repeated binds on one file system are one mount")
  void repeatedBindsAreOneMount() throws IOException {
    for (int i = 0; i < 20; i++) {
      mounter.bind(source, target, MountOptions.NONE);
      mounter = newMounter();
    }
    assertThat(mounts.list()).hasSize(1);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B115 B117 read-only is refused by the kernel and shown for the mount")
  void aReadOnlyBindRefusesWrites() throws IOException {
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThatThrownBy(() -> Files.createFile(target.resolve("x")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Read-only file system");
    assertThat(mounter.mountAt(target).orElseThrow().options()).contains("ro");
    Path second = sibling("second");
    mounter.bind(source, second, MountOptions.NONE);
    Files.createFile(second.resolve("x"));
  }

  @Test
  @DisplayName("B118 B120 every flag is in effect")
  void everyFlagIsInEffect() throws Exception {
    Path program = Files.writeString(source.resolve("program"), "#!/bin/sh\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    mounter.bind(
        source, target, MountOptions.of(Flag.NOSUID, Flag.NODEV, Flag.NOEXEC, Flag.NOATIME));
    assertThat(mounter.mountAt(target).orElseThrow().options())
        .contains("nosuid", "nodev", "noexec", "noatime", "rw");
    assertThat(exitCode(program.toString())).isZero();
    assertThatThrownBy(() -> exitCode(target.resolve("program").toString()))
        .isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("B120 restrictions of the source's mount are kept beside those asked for")
  void restrictionsOfTheSourceAreKept() throws Exception {
    run("mount", "-n", "-t", "tmpfs", "-o", "nosuid,noexec,nodev", "t", source.toString());
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.mountAt(target).orElseThrow().options())
        .contains("ro", "nosuid", "noexec", "nodev");
  }

  @Test
  @DisplayName("B031 B033 another source or read-only state is refused and changes nothing")
  void anotherSourceIsRefused() throws IOException {
    Path other = sibling("other");
    mounter.bind(other, target, MountOptions.NONE);
    List<Mount> before = mounts.list();
    assertThat(code(() -> mounter.bind(source, target, MountOptions.NONE)))
        .isEqualTo(Code.ALREADY_EXISTS);
    assertThat(code(() -> mounter.bind(other, target, MountOptions.of(Flag.RO))))
        .isEqualTo(Code.ALREADY_EXISTS);
    assertThat(mounter.isMountOf(source, target)).isFalse();
    assertThat(mounts.list()).isEqualTo(before);
  }

  @Test
  @DisplayName("B047 B049 a bare directory is no mount of anything")
  void aBareDirectoryIsNoMount() {
    assertThat(mounter.isMountOf(source, target)).isFalse();
    assertThat(mounter.isMountOf(target, target)).isFalse();
    assertThat(mounter.mountAt(target)).isEmpty();
  }

  @Test
  @DisplayName("B037 B050 what was unmounted by hand is bound again, or stays unmounted")
  void whatWasUnmountedByHandIsBoundAgain() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    run("umount", "-n", target.toString());
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(target.resolve("hello")).exists();
    run("umount", "-n", target.toString());
    mounter.unmount(target);
    mounter.unmount(target);
  }

  @Test
  void stackedBindsOfTheSameArePeeledToOne() throws Exception {
    for (int i = 0; i < 3; i++) {
      bindByHand(source, target);
    }
    assertThat(MountTable.read().stackAt(target)).hasSize(3);
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(MountTable.read().stackAt(target)).hasSize(1);
    assertThat(mounter.isMountOf(source, target)).isTrue();
  }

  @Test
  void mountsStackedThreeDeepAreUnmounted() throws Exception {
    bindByHand(source, target);
    bindByHand(sibling("other"), target);
    run("mount", "-n", "-t", "tmpfs", "t", target.toString());
    assertThat(MountTable.read().stackAt(target)).hasSize(3);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B037 B044 a mount hidden behind the one that was unmounted is no success")
  void aMountHiddenBehindAnotherIsNotCalledUnmounted() throws Exception {
    Path up = sibling("up");
    Path inside = Files.createDirectory(up.resolve("t"));
    mounter.bind(source, inside, MountOptions.NONE);
    run("mount", "-n", "-t", "tmpfs", "cover", up.toString());
    assertThatThrownBy(() -> mounter.unmount(inside))
        .as("with nothing in front, not even a directory")
        .hasMessageContaining("hidden")
        .hasMessageContaining(up.toString());
    Files.createDirectory(inside);
    mounter.bind(source, inside, MountOptions.NONE);
    assertThat(code(() -> mounter.unmount(inside))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(mounter.mountAt(inside)).isEmpty();
    Path other = Files.createDirectory(up.resolve("other"));
    mounter.bind(source, other, MountOptions.NONE);
    mounter.unmount(other);
    mounter.unmount(up);
    mounter.unmount(inside);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B037 a mount hidden two covers deep, or below a whole covered mount, is found")
  void aMountHiddenDeeperIsFound() throws Exception {
    Path one = sibling("one");
    run("mount", "-n", "-t", "tmpfs", "one", one.toString());
    Path two = Files.createDirectory(one.resolve("two"));
    Path inside = Files.createDirectories(two.resolve("a/t"));
    mounter.bind(source, inside, MountOptions.NONE);
    run("mount", "-n", "-t", "tmpfs", "two", two.toString());
    Files.createDirectories(inside);
    mounter.unmount(two.resolve("b"));
    assertThatThrownBy(() -> mounter.unmount(inside)).hasMessageContaining("hidden");
    mounter.unmount(two);
    run("mount", "-n", "-t", "tmpfs", "whole", one.toString());
    assertThatThrownBy(() -> mounter.unmount(inside)).hasMessageContaining("hidden");
    mounter.unmount(one.resolve("c"));
    run("umount", "-n", one.toString());
    mounter.unmount(inside);
    mounter.unmount(one);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B037 a mount hidden by the outer of two covers is found")
  void aMountHiddenByTheOuterOfTwoCoversIsFound() throws Exception {
    Path outer = sibling("outer");
    Path inner = outer.resolve("inner");
    Path inside = Files.createDirectories(inner.resolve("t"));
    mounter.bind(source, inside, MountOptions.NONE);
    run("mount", "-n", "-t", "tmpfs", "outer", outer.toString());
    Files.createDirectory(inner);
    run("mount", "-n", "-t", "tmpfs", "inner", inner.toString());
    Files.createDirectory(inside);
    mounter.bind(source, inside, MountOptions.NONE);
    assertThatThrownBy(() -> mounter.unmount(inside)).hasMessageContaining("hidden");
    mounter.unmount(inner);
    mounter.unmount(outer);
    mounter.unmount(inside);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B025 in a shared mount, what is stacked on one target appears at no other")
  void stackingInASharedMountChangesNoOtherTarget() throws Exception {
    Path shared = sibling("shared");
    run("mount", "-n", "-t", "tmpfs", "t", shared.toString());
    run("mount", "-n", "--make-shared", shared.toString());
    Path staging = Files.createDirectory(shared.resolve("staging"));
    Path one = Files.createDirectory(shared.resolve("one"));
    Path two = Files.createDirectory(shared.resolve("two"));
    mounter.bind(source, staging, MountOptions.NONE);
    mounter.bind(staging, one, MountOptions.NONE);
    mounter.bind(staging, two, MountOptions.of(Flag.RO));
    for (Path place : List.of(staging, one, two)) {
      MountTable table = MountTable.read();
      assertThat(table.isShared(table.at(place).orElseThrow())).isFalse();
    }
    bindByHand(source, one);
    bindByHand(source, staging);
    MountTable table = MountTable.read();
    assertThat(table.stackAt(one)).hasSize(2);
    assertThat(table.stackAt(two)).hasSize(1);
    assertThat(mounter.mountAt(two).orElseThrow().options()).contains("ro");
  }

  @Test
  void aLinkIsFollowedAtNeitherEnd() throws IOException {
    Path link = Files.createSymbolicLink(target.resolveSibling("link"), target);
    assertThat(code(() -> mounter.bind(source, link, MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(code(() -> mounter.bind(link, target, MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    mounter.bind(source, target, MountOptions.NONE);
    mounter.unmount(link);
    assertThat(mounter.isMountOf(source, target)).isTrue();
  }

  @Test
  void aLinkFurtherUpIsNoHindrance() throws IOException {
    Path real = Files.createDirectory(sibling("real").resolve("t"));
    Path link = Files.createSymbolicLink(target.resolveSibling("link"), real.getParent());
    mounter.bind(source, link.resolve("t"), MountOptions.NONE);
    mounter.bind(source, link.resolve("t"), MountOptions.NONE);
    assertThat(mounter.isMountOf(source, real)).isTrue();
    assertThat(mounts.list()).hasSize(1);
    mounter.unmount(link.resolve("t"));
    assertThat(mounts.list()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a b",
        "new\nline",
        "tab\t",
        "back\\slash\\040",
        "größe-日本",
        "-o ro",
        "#hash",
        "\"'$x"
      })
  void unusualNamesAreBoundFoundAndUnmounted(String name) throws IOException {
    assumeTrue(
        name.chars().allMatch(c -> c < 128)
            || "UTF-8".equals(System.getProperty("sun.jnu.encoding")),
        "this locale has no such names");
    Path odd = sibling(name);
    Path oddSource = Files.createDirectory(source.resolve(name));
    mounter.bind(oddSource, odd, MountOptions.NONE);
    assertThat(mounter.isMountOf(oddSource, odd)).isTrue();
    mounter.bind(oddSource, odd, MountOptions.NONE);
    assertThat(mounts.list()).hasSize(1);
    mounter.unmount(odd);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B037 B056 unmounting what is not mounted, missing or below a file is fine")
  void unmountingNothingIsFine() {
    mounter.unmount(target);
    mounter.unmount(target.resolve("missing"));
    mounter.unmount(target.resolve("missing/too/deep"));
    mounter.unmount(source.resolve("hello/below"));
    assertThat(target).exists();
  }

  @Test
  void missingEndsAndWrongTypesAreRefused() throws IOException {
    Path file = source.resolve("hello");
    assertThat(code(() -> mounter.bind(source.resolve("none"), target, MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(code(() -> mounter.bind(source, target.resolve("none"), MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(code(() -> mounter.bind(file, target, MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(code(() -> mounter.bind(target, file, MountOptions.NONE)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B043 a mount in use stays, is an error, and goes when it is free")
  void aMountInUseStays() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    Process holder =
        mounts.background("sh", "-c", "cd \"$0\" && echo ready; exec sleep 600", target.toString());
    CsiException error = catchThrowableOfType(CsiException.class, () -> mounter.unmount(target));
    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(error).hasMessageContaining(holder.pid() + " (sleep)");
    assertThat(mounter.isMountOf(source, target)).isTrue();
    mounts.end(holder);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B044 a mount inside keeps the outer one, and is named")
  void aMountInsideKeepsTheOuterOne() throws Exception {
    Path inner = Files.createDirectory(source.resolve("inner"));
    mounter.bind(source, target, MountOptions.NONE);
    bindByHand(inner, target.resolve("inner"));
    assertThatThrownBy(() -> mounter.unmount(target))
        .hasMessageContaining(target.resolve("inner").toString());
    assertThat(mounts.list()).hasSize(2);
  }

  @Test
  @DisplayName("B041 ten unmounts of one target at once all succeed")
  void parallelUnmountsAllSucceed() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    ExecutorService pool = Executors.newFixedThreadPool(10);
    try {
      List<Future<?>> calls = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        calls.add(pool.submit(() -> mounter.unmount(target)));
      }
      for (Future<?> call : calls) {
        call.get(60, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B038 B123 a fresh mounter unmounts one target by its path and leaves the other")
  void aFreshMounterUnmountsByPath() throws IOException {
    Path other = sibling("other");
    mounter.bind(source, target, MountOptions.NONE);
    mounter.bind(source, other, MountOptions.NONE);
    newMounter().unmount(target);
    assertThat(newMounter().isMountOf(source, other)).isTrue();
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  @DisplayName("B046 a dead file system is unmounted")
  void aDeadFileSystemIsUnmounted() throws Exception {
    assumeTrue(fuse(":"), "no FUSE here");
    assertThatThrownBy(() -> Files.readAttributes(target, "*")).isInstanceOf(IOException.class);
    assertThat(mounter.mountAt(target).orElseThrow().fileSystemType()).isEqualTo("fuse");
    assertThat(mounter.isMountOf(source, target)).isFalse();
    assertThat(code(() -> mounter.bind(source, target, MountOptions.NONE)))
        .isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B055 a file system that hangs is judged and unmounted without waiting for it")
  void aHungFileSystemIsUnmounted() throws Exception {
    assumeTrue(fuse("echo ready; exec sleep 600"), "no FUSE here");
    assertThat(mounter.mountAt(target)).isPresent();
    assertThat(mounter.isMountOf(source, target)).isFalse();
    TargetPath path = TargetPath.of("target_path", target.toString());
    assertThat(path.createDirectory(mounter)).isFalse();
    assertThat(code(() -> path.remove(mounter))).isEqualTo(Code.FAILED_PRECONDITION);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
    path.remove(mounter);
    assertThat(target).doesNotExist();
  }

  /** A FUSE server that never answers, or is gone as soon as its shell ends. */
  private boolean fuse(String then) throws Exception {
    String script =
        "exec 3<>/dev/fuse && mount -i -n -t fuse -o"
            + " fd=3,rootmode=40000,user_id=0,group_id=0 dead \"$0\" || exit 1; "
            + then;
    if (!Files.exists(Path.of("/dev/fuse"))) {
      return false;
    }
    if (then.startsWith("echo ready")) {
      mounts.background("sh", "-c", script, target.toString());
      return true;
    }
    return exitCode("sh", "-c", script, target.toString()) == 0;
  }

  @Test
  @DisplayName("B052 a file system that can't be mounted leaves a target that can be removed")
  void aFileSystemThatCannotBeMountedLeavesNothing() throws IOException {
    assertThat(code(() -> mounter.mount("none", target, "tmpfs", List.of("size=nonsense"))))
        .isEqualTo(Code.INTERNAL);
    assertThat(code(() -> mounter.mount("none", target, "nosuchfs", List.of())))
        .isEqualTo(Code.INTERNAL);
    assertThat(mounts.list()).isEmpty();
    TargetPath.of("target_path", target.toString()).remove(mounter);
    assertThat(target).doesNotExist();
  }

  @Test
  @DisplayName("B118 a file system gets its options, is mounted once and unmounted")
  void aFileSystemIsMountedOnce() throws IOException {
    List<String> options = List.of("size=1m,nr_inodes=100", "nosuid", "noexec");
    mounter.mount("volume", target, "tmpfs", options);
    mounter.mount("volume", target, "tmpfs", options);
    Mount mount = mounter.mountAt(target).orElseThrow();
    assertThat(mount.options()).contains("nosuid", "noexec");
    assertThat(mounts.list()).hasSize(1);
    VolumeUsage usage = UsageReader.system().ofFileSystem(target);
    assertThat(usage.bytes().total()).isEqualTo(1 << 20);
    assertThat(usage.inodes().orElseThrow().total()).isEqualTo(100);
    assertThat(code(() -> mounter.mount("other", target, "tmpfs", List.of())))
        .isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B102 a table that is read while others mount and unmount misses nothing that stays")
  void theTableIsReadRightWhileOthersMount() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    Path churn = sibling("churn");
    for (int i = 0; i < 40; i++) {
      bindByHand(source, Files.createDirectory(churn.resolve("long-name-".repeat(12) + i)));
    }
    mounts.background(
        "sh",
        "-c",
        "echo ready; while :; do mount -n -t tmpfs c \"$0\" && umount -n \"$0\"; done",
        sibling("busy").toString());
    long end = System.nanoTime() + Duration.ofSeconds(2).toNanos();
    while (System.nanoTime() < end) {
      MountTable table = MountTable.read();
      assertThat(table.stackAt(target)).hasSize(1);
      assertThat(table.below(churn)).hasSize(40);
    }
  }

  @Test
  @DisplayName("B030 random binds and unmounts on three targets agree with a model")
  void randomStepsAgreeWithAModel() throws IOException {
    Random random = new Random(4);
    Path[] sources = {source, sibling("other")};
    Path[] targets = {target, sibling("t1"), sibling("t2")};
    int[] shown = {-1, -1, -1};
    for (int step = 0; step < 60; step++) {
      int t = random.nextInt(targets.length);
      int s = random.nextInt(sources.length + 1);
      if (s == sources.length) {
        mounter.unmount(targets[t]);
        shown[t] = -1;
      } else if (shown[t] < 0 || shown[t] == s) {
        mounter.bind(sources[s], targets[t], MountOptions.NONE);
        shown[t] = s;
      } else {
        assertThat(code(() -> mounter.bind(sources[s], targets[t], MountOptions.NONE)))
            .isEqualTo(Code.ALREADY_EXISTS);
      }
      MountTable table = MountTable.read();
      for (int i = 0; i < targets.length; i++) {
        assertThat(table.stackAt(targets[i])).as("step " + step).hasSize(shown[i] < 0 ? 0 : 1);
        assertThat(shown[i] < 0 || mounter.isMountOf(sources[shown[i]], targets[i])).isTrue();
      }
    }
  }
}
