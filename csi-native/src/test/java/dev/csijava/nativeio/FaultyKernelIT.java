package dev.csijava.nativeio;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountOptions.Flag;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.MountsBelow;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every system call that changes mounts fails, or lies. Needs root. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FaultyKernelIT {
  enum Lie {
    FAILS,
    WORKS_BUT_REPORTS_FAILURE,
    CLAIMS_SUCCESS
  }

  @TempDir Path temporary;

  private final Faults faults = new Faults();
  private MountsBelow mounts;
  private Path directory;
  private Path source;
  private Path target;
  private Mounter mounter;

  @BeforeEach
  void setUp() throws Exception {
    directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
    source = Files.createDirectory(directory.resolve("source"));
    target = Files.createDirectory(directory.resolve("target"));
    mounter =
        new NativeMounter(
            faults, MountReader.system(), Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
    }
  }

  private CsiException failure(Flag... flags) {
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> mounter.bind(source, target, MountOptions.of(flags)));
    assertThat(error).as("an error").isNotNull();
    return error;
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_tree", "mount_setattr", "move_mount"})
  void aCallThatFailsIsNamedAndLeavesNothing(String call) throws Exception {
    faults.next(call, Lie.FAILS, Errno.ENOSPC);
    CsiException error = failure(Flag.RO);
    assertThat(error).extracting("code").hasToString("INTERNAL");
    assertThat(error).hasMessageContaining(call + " answered ENOSPC");
    assertThat(mounts.list()).isEmpty();
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.isMountOf(source, target)).isTrue();
  }

  @Test
  @DisplayName("B034 a node that is full of mounts is named as such")
  void aNodeThatIsFullOfMountsIsNamed() {
    faults.next("move_mount", Lie.FAILS, Errno.ENOSPC);
    assertThat(failure()).hasMessageContaining("fs.mount-max");
  }

  @ParameterizedTest
  @ValueSource(strings = {"open_tree", "mount_setattr", "move_mount"})
  void aCallThatIsRefusedIsLeftToThePrograms(String call) throws Exception {
    faults.next(call, Lie.FAILS, Errno.EPERM);
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.isMountOf(source, target)).isTrue();
    assertThat(mounter.mountAt(target).orElseThrow().readOnly()).isTrue();
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  @DisplayName("B012 a mount that reports failure but happened counts if it is as asked for")
  void aMountThatHappenedCountsWhateverWasReported() throws Exception {
    faults.next("move_mount", Lie.WORKS_BUT_REPORTS_FAILURE, Errno.EINVAL);
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.isMountOf(source, target)).isTrue();
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  @DisplayName("B035 a mount that reports success but did not happen is an error")
  void aMountThatDidNotHappenIsAnError() throws Exception {
    faults.next("move_mount", Lie.CLAIMS_SUCCESS, 0);
    assertThat(failure()).hasMessageContaining("nothing is mounted");
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B117 B120 flags that did not take effect undo the mount")
  void flagsThatDidNotTakeEffectUndoTheMount() throws Exception {
    faults.next("mount_setattr", Lie.CLAIMS_SUCCESS, 0);
    CsiException error = failure(Flag.RO);
    assertThat(error).hasMessageContaining("writable").hasMessageContaining("it was undone");
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  void aMountThatStaysInThePeerGroupIsUndone() throws Exception {
    run("mount", "-n", "-t", "tmpfs", "t", source.toString());
    run("mount", "-n", "--make-shared", source.toString());
    faults.next("mount_setattr", Lie.CLAIMS_SUCCESS, 0);
    faults.next("mount_setattr", Lie.CLAIMS_SUCCESS, 0);
    assertThat(failure()).hasMessageContaining("in a peer group");
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  void whatCannotBeUndoneIsUncertain() throws Exception {
    faults.next("mount_setattr", Lie.CLAIMS_SUCCESS, 0);
    faults.next("umount2", Lie.FAILS, Errno.EIO);
    CsiException error = failure(Flag.RO);
    assertThat(error).extracting("code").hasToString("UNAVAILABLE");
    assertThat(error).hasMessageContaining("could not be undone");
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Lie.class)
  @DisplayName("B035 B041 an unmount ends with nothing mounted, or says so")
  void anUnmountEndsWithNothingOrSaysSo(Lie lie) throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    faults.next("umount2", lie, Errno.EINVAL);
    CsiException error = catchThrowableOfType(CsiException.class, () -> mounter.unmount(target));
    if (error != null) {
      assertThat(lie).isEqualTo(Lie.FAILS);
      assertThat(error).hasMessageContaining("umount2 answered EINVAL");
      assertThat(mounts.list()).hasSize(1);
      mounter.unmount(target);
    }
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  void anUnmountThatIsOnlyClaimedIsAnError() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    Mounter denied =
        new NativeMounter(
            new ForwardingKernel() {
              @Override
              public void unmount(Place place) {}
            },
            MountReader.system(),
            Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
    CsiException error = catchThrowableOfType(CsiException.class, () -> denied.unmount(target));
    assertThat(error).extracting("code").hasToString("INTERNAL");
    assertThat(error).hasMessageContaining("still there");
    assertThat(mounts.list()).hasSize(1);
  }

  @Test
  void aBusyThatPassesIsWaitedForAndOneThatStaysIsAnError() throws Exception {
    mounter.bind(source, target, MountOptions.NONE);
    faults.next("umount2", Lie.FAILS, Errno.EBUSY);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
    mounter.bind(source, target, MountOptions.NONE);
    for (int i = 0; i < 7; i++) {
      faults.next("umount2", Lie.FAILS, Errno.EBUSY);
    }
    CsiException error = catchThrowableOfType(CsiException.class, () -> mounter.unmount(target));
    assertThat(error).extracting("code").hasToString("FAILED_PRECONDITION");
    assertThat(mounts.list()).hasSize(1);
  }

  private record Fault(String call, Lie lie, int errno) {}

  /** The real kernel, with one lie a call as told. */
  private static final class Faults extends ForwardingKernel {
    private final Deque<Fault> faults = new ArrayDeque<>();

    void next(String call, Lie lie, int errno) {
      faults.add(new Fault(call, lie, errno));
    }

    private void make(SystemCall call, Call work) throws LinuxException {
      Fault fault = faults.peek();
      if (fault == null || !fault.call().equals(call.toString())) {
        work.run();
        return;
      }
      faults.remove();
      if (fault.lie() == Lie.WORKS_BUT_REPORTS_FAILURE) {
        work.run();
      }
      if (fault.lie() != Lie.CLAIMS_SUCCESS) {
        throw new LinuxException(call, fault.errno());
      }
    }

    @Override
    public Descriptor cloneOf(Descriptor source, MountOptions options) throws LinuxException {
      make(SystemCall.OPEN_TREE, () -> {});
      Descriptor clone = MountKernel.Calls.plainCloneOf(source);
      try {
        restrict(clone, options);
        return clone;
      } catch (LinuxException e) {
        clone.close();
        throw e;
      }
    }

    @Override
    public void restrict(Descriptor mount, MountOptions options) throws LinuxException {
      make(SystemCall.MOUNT_SETATTR, () -> super.restrict(mount, options));
    }

    @Override
    public void attach(Descriptor clone, Descriptor target) throws LinuxException {
      make(SystemCall.MOVE_MOUNT, () -> super.attach(clone, target));
    }

    @Override
    public void unmount(Place place) throws LinuxException {
      make(SystemCall.UMOUNT2, () -> super.unmount(place));
    }

    @FunctionalInterface
    private interface Call {
      void run() throws LinuxException;
    }
  }
}
