package dev.csijava.nativeio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.FileSystemMountContract;
import dev.csijava.core.mount.FileSystemRequest;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract, kept by system calls. What only they promise is shown here too. */
class NativeFileSystemMountIT extends FileSystemMountContract {
  @TempDir Path folder;

  private RecordingMounter programs;

  @BeforeEach
  void recordPrograms() {
    programs = new RecordingMounter(Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  @Override
  protected Mounter newMounter() {
    return new NativeMounter(
        MountKernel.system(),
        MountReader.system(),
        new LocalFileSystems(List.of()),
        Mounter.byPrograms(Mounter.DEFAULT_DEADLINE));
  }

  private Mounter recorded(MountKernel kernel, Path... helpers) {
    return new NativeMounter(
        kernel, MountReader.system(), new LocalFileSystems(List.of(helpers)), programs);
  }

  /** The kernel's own words. */
  @Override
  protected void assertRefusalIsNamed(CsiException error, String option) {
    String name = option.substring(0, (option + "=").indexOf('='));
    assertThat(error).hasMessageContaining("fsconfig answered EINVAL: ").hasMessageContaining(name);
    assertThat(error.getMessage()).doesNotContain("nonsense");
  }

  @Test
  void noProgramRunsForALocalFileSystem() {
    Mounter mounter = recorded(MountKernel.system());
    mounter.mount("volume", target(), "tmpfs", List.of("size=1m"));
    mounter.unmount(target());
    assertThat(programs.calls()).isEmpty();
  }

  @Test
  void whatIsMountedIsKnownAgainWhereTheKernelDoesNotTellItsSource() {
    assumeTrue(StatmountReader.works(), "this kernel has no statmount");
    Mounter mounter =
        new NativeMounter(
            MountKernel.system(),
            StatmountReader.ofLinux68(),
            new LocalFileSystems(List.of()),
            programs);
    mounter.mount("volume", target(), "tmpfs", List.of("size=1m"));
    mounter.mount("volume", target(), "tmpfs", List.of("size=1m"));
    Mount mount = mounter.mountAt(target()).orElseThrow();
    assertThat(mount.source()).isEqualTo("volume");
    assertThat(mount.superOptions()).contains("rw", "size=1024k");
  }

  @Test
  void aFileSystemWithAHelperIsLeftToThePrograms() throws IOException {
    Path helpers = Files.createDirectory(folder.resolve("helpers"));
    Files.createFile(helpers.resolve("mount.tmpfs"));
    Mounter mounter = recorded(MountKernel.system(), helpers);
    mounter.mount("volume", target(), "tmpfs", List.of("size=1m"));
    mounter.unmount(target());
    assertThat(programs.calls()).containsExactly("mount tmpfs");
  }

  @Test
  void whatTheKernelDoesNotWaitForDisksOnlyIsLeftToThePrograms() {
    LocalFileSystems local = new LocalFileSystems(List.of());
    for (String type : List.of("nfs", "nfs4", "cifs", "fuse", "ceph", "overlay")) {
      assertThat(local.plan(request("server:/export", type))).as(type).isEmpty();
    }
    for (String source : List.of("LABEL=x", "/dev/null", "/nothing", "image")) {
      assertThat(local.plan(request(source, "ext4"))).as(source).isEmpty();
    }
    assertThat(local.plan(request("any", "tmpfs"))).isPresent();
  }

  private static FileSystemRequest request(String source, String type) {
    return new FileSystemRequest(source, type, List.of());
  }

  @Test
  void aSystemThatRefusesTheCallsIsServedByThePrograms() {
    Mounter mounter =
        recorded(
            new ForwardingKernel() {
              @Override
              public Descriptor newMount(NewFileSystem wanted) throws LinuxException {
                throw new LinuxException(SystemCall.FSOPEN, Errno.EPERM);
              }
            });
    mounter.mount("volume", target(), "tmpfs", List.of("noexec"));
    assertThat(programs.calls()).containsExactly("mount tmpfs");
    mounter.unmount(target());
  }

  @Test
  void aMountThatDidNotHappenIsAnErrorAndLeavesNothing() {
    Mounter mounter =
        recorded(
            new ForwardingKernel() {
              @Override
              public void attach(Descriptor mount, Descriptor target) {}
            });
    Path target = target();
    assertThatThrownBy(() -> mounter.mount("volume", target, "tmpfs", List.of()))
        .hasMessageContaining("nothing is mounted");
    assertThat(mounter.mountAt(target)).isEmpty();
  }

  @Test
  void aMountWithoutTheOptionsThatWereAskedForIsUndone() {
    Mounter mounter =
        recorded(
            new ForwardingKernel() {
              @Override
              public Descriptor newMount(NewFileSystem wanted) throws LinuxException {
                return super.newMount(
                    new NewFileSystem(wanted.type(), wanted.source(), List.of(), 0));
              }
            });
    Path target = target();
    for (String option : List.of("ro", "nosuid", "nodev", "noexec", "noatime")) {
      assertThatThrownBy(() -> mounter.mount("volume", target, "tmpfs", List.of(option)))
          .as(option)
          .hasMessageContaining("it was undone");
    }
    assertThat(mounter.mountAt(target)).isEmpty();
  }
}
