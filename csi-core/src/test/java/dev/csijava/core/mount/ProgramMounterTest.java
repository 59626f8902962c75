package dev.csijava.core.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.jimfs.Configuration;
import com.google.common.jimfs.Jimfs;
import dev.csijava.core.CsiException;
import dev.csijava.core.Proves;
import dev.csijava.core.mount.FakeKernel.Fault;
import dev.csijava.core.mount.MountOptions.Flag;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What no real mount(8) can be made to do: it lies, fails half-way and hangs here. */
class ProgramMounterTest {
  private FileSystem jimfs;
  private FakeKernel kernel;
  private Mounter mounter;
  private Path source;
  private Path target;

  @BeforeEach
  void setUp() throws IOException {
    jimfs =
        Jimfs.newFileSystem(
            Configuration.unix().toBuilder().setAttributeViews("posix", "unix").build());
    kernel = new FakeKernel(jimfs);
    mounter = kernel.mounter();
    source = Files.createDirectories(jimfs.getPath("/data/v1"));
    target = Files.createDirectories(jimfs.getPath("/pods/t"));
  }

  @AfterEach
  void tearDown() throws IOException {
    jimfs.close();
  }

  private static CsiException failure(ThrowingCallable call) {
    return catchThrowableOfType(CsiException.class, call);
  }

  private CsiException bindFails(MountOptions options) {
    return failure(() -> mounter.bind(source, target, options));
  }

  @Test
  void aBindIsOneRunWithPathsBehindTheDashes() {
    mounter.bind(source, target, MountOptions.of(Flag.RO, Flag.NOSUID));
    assertThat(kernel.commands().toString())
        .isEqualTo("[mount -n -c --bind --make-private -o nosuid,ro -- /data/v1 /pods/t]");
    assertThat(mounter.isMountOf(source, target)).isTrue();
    assertThat(mounter.mountAt(target).orElseThrow().options()).contains("ro", "nosuid");
  }

  @Test
  @DisplayName("B025 a hundred binds are one mount, and one unmount ends it")
  void aHundredBindsAreOneMount() {
    for (int i = 0; i < 100; i++) {
      mounter.bind(source, target, MountOptions.NONE);
    }
    assertThat(kernel.stackAt(target)).hasSize(1);
    assertThat(kernel.commands()).hasSize(1);
    mounter.unmount(target);
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  @DisplayName("B031 another source at the target is refused, and nothing changes")
  void anotherSourceIsRefused() throws IOException {
    Path other = Files.createDirectories(jimfs.getPath("/data/v2"));
    mounter.bind(other, target, MountOptions.NONE);
    assertThat(bindFails(MountOptions.NONE).code()).isEqualTo(Code.ALREADY_EXISTS);
    assertThat(kernel.stackAt(target)).hasSize(1);
    assertThat(mounter.isMountOf(other, target)).isTrue();
  }

  @Test
  @DisplayName("B031 the same source with another read-only state is refused")
  void anotherReadOnlyStateIsRefused() {
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(bindFails(MountOptions.of(Flag.RO)).code()).isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(bindFails(MountOptions.NONE).code()).isEqualTo(Code.ALREADY_EXISTS);
  }

  @Test
  void aMissingOptionIsRefusedAndOneTooManyIsNot() {
    mounter.bind(source, target, MountOptions.of(Flag.NOSUID));
    mounter.bind(source, target, MountOptions.NONE);
    CsiException refusal = bindFails(MountOptions.of(Flag.NOSUID, Flag.NOEXEC));
    assertThat(refusal.code()).isEqualTo(Code.ALREADY_EXISTS);
    assertThat(refusal).hasMessageContaining("without noexec");
  }

  @Test
  @DisplayName("B120 restrictions of the source's mount are not lost to a remount")
  void restrictionsOfTheSourceAreKept() {
    kernel.line("2 1 8:2 / /data nosuid,noexec,noatime,rw - xfs /dev/x rw");
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.mountAt(target).orElseThrow().options())
        .contains("ro", "nosuid", "noexec", "noatime");
  }

  @Test
  void whatLiesOnAReadOnlyMountIsReadOnlyAndThatIsNoDifference() {
    kernel.line("2 1 8:2 / /data ro - xfs /dev/x rw");
    mounter.bind(source, target, MountOptions.NONE);
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(kernel.stackAt(target)).hasSize(1);
  }

  @Test
  void severalOfTheSameArePeeledToOne() {
    mounter.bind(source, target, MountOptions.NONE);
    long first = kernel.stackAt(target).get(0).id();
    kernel.line("50 " + first + " 8:1 /data/v1 /pods/t rw,relatime - ext4 /dev/root rw");
    kernel.line("51 50 8:1 /data/v1 /pods/t rw,relatime - ext4 /dev/root rw");
    assertThat(kernel.stackAt(target)).hasSize(3);
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(kernel.stackAt(target)).extracting(Mount::id).containsExactly(first);
  }

  @Test
  void severalOfTheSameInUseAreLeftForUnmount() {
    mounter.bind(source, target, MountOptions.NONE);
    long first = kernel.stackAt(target).get(0).id();
    kernel.line("50 " + first + " 8:1 /data/v1 /pods/t rw,relatime - ext4 /dev/root rw");
    kernel.next(Fault.FAILS_FOR_BUSY);
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(kernel.stackAt(target)).hasSize(2);
  }

  @Test
  void somethingElseBeneathTheRightMountIsRefused() {
    kernel.line("50 1 8:1 /data/v2 /pods/t rw,relatime - ext4 /dev/root rw");
    Mount beneath = kernel.stackAt(target).get(0);
    kernel.line("51 50 8:1 /data/v1 /pods/t rw,relatime - ext4 /dev/root rw");
    Mounter seeing =
        new ProgramMounter(
            kernel,
            kernel::table,
            path -> FileIdentity.of(path.equals(target) ? source : path),
            new MountHolders(jimfs.getPath("/proc")),
            Duration.ofSeconds(1));
    assertThatThrownBy(() -> seeing.bind(source, target, MountOptions.NONE))
        .hasMessageContaining("beneath")
        .hasMessageContaining(beneath.root());
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  @DisplayName("B055 a target on another file system is judged without asking it")
  void aTargetOnAnotherFileSystemIsNotAsked() {
    kernel.line("50 1 0:77 / /pods/t rw - nfs4 server:/dead rw");
    Mounter careful =
        new ProgramMounter(
            kernel,
            kernel::table,
            path -> {
              assertThat(path).isNotEqualTo(target);
              return FileIdentity.of(path);
            },
            new MountHolders(jimfs.getPath("/proc")),
            Duration.ofSeconds(1));
    assertThat(careful.isMountOf(source, target)).isFalse();
    assertThat(careful.mountAt(target)).isPresent();
    assertThat(failure(() -> careful.bind(source, target, MountOptions.NONE)).code())
        .isEqualTo(Code.ALREADY_EXISTS);
    careful.unmount(target);
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  @DisplayName("B035 a mount that reports success without effect is an error")
  void aMountWithoutEffectIsAnError() {
    kernel.next(Fault.CLAIMS_SUCCESS);
    CsiException error = bindFails(MountOptions.NONE);
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error).hasMessageContaining("reported success");
    mounter.bind(source, target, MountOptions.NONE);
    assertThat(mounter.isMountOf(source, target)).isTrue();
  }

  @Test
  void aMountThatFailsSaysWhatTheProgramSaidInOneLine() {
    kernel.next(Fault.FAILS);
    CsiException error = bindFails(MountOptions.NONE);
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error)
        .hasMessage("mount answered 32 and said: mount: wrong fs type, bad option or worse.");
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(names = {"WORKS_BUT_REPORTS_FAILURE", "HANGS_AFTER_THE_WORK"})
  void aMountThatHappenedAsAskedIsAcceptedWhateverIsReported(Fault fault) {
    kernel.next(fault);
    mounter.bind(source, target, MountOptions.of(Flag.RO));
    assertThat(mounter.mountAt(target).orElseThrow().readOnly()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"IGNORES_OPTIONS", "IGNORES_OPTIONS_AND_FAILS"})
  @DisplayName("B115 a mount that stays writable is undone and refused")
  void aMountThatStaysWritableIsUndone(Fault fault) {
    kernel.next(fault);
    CsiException error = bindFails(MountOptions.of(Flag.RO));
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error).hasMessageContaining("the mount is writable").hasMessageContaining("undone");
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  void aMountInAPeerGroupIsUndone() {
    kernel.next(Fault.IGNORES_PRIVACY);
    assertThat(bindFails(MountOptions.NONE)).hasMessageContaining("in a peer group");
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  void aMountThatCannotBeUndoneIsUnavailableAndNotFinal() {
    kernel.next(Fault.IGNORES_OPTIONS, Fault.FAILS_FOR_BUSY);
    CsiException error = bindFails(MountOptions.of(Flag.RO));
    assertThat(error.code()).isEqualTo(Code.UNAVAILABLE);
    assertThat(error).hasMessageContaining("could not be undone");
  }

  @Test
  void somebodyElsesMountThatAppearsMeanwhileIsLeftAlone() {
    kernel.next(Fault.MOUNTS_SOMETHING_ELSE);
    assertThat(bindFails(MountOptions.NONE).code()).isEqualTo(Code.UNAVAILABLE);
    assertThat(kernel.stackAt(target)).hasSize(1);
  }

  @Test
  void aProgramThatHangsIsFinalOnlyIfItIsDead() {
    kernel.next(Fault.HANGS);
    assertThat(bindFails(MountOptions.NONE).code()).isEqualTo(Code.INTERNAL);
    kernel.next(Fault.HANGS_FOR_EVER);
    assertThat(bindFails(MountOptions.NONE).code()).isEqualTo(Code.UNAVAILABLE);
  }

  @Test
  void aProgramThatCannotBeStartedIsNamed() {
    kernel.next(Fault.CANNOT_START);
    CsiException error = bindFails(MountOptions.NONE);
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error).hasMessageContaining("mount can't be run");
  }

  @Test
  @DisplayName("B034 a full mount table is said to be one")
  void aFullMountTableIsSaidToBeOne() {
    kernel.next(Fault.FAILS_WITHOUT_ROOM);
    assertThat(bindFails(MountOptions.NONE))
        .hasMessageContaining("this node has 1 mounts")
        .hasMessageContaining("fs.mount-max");
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  @DisplayName("B003 B035 an unmount without effect is an error, and its repetition works")
  void anUnmountWithoutEffectIsAnError() {
    mounter.bind(source, target, MountOptions.NONE);
    kernel.next(Fault.CLAIMS_SUCCESS);
    CsiException error = failure(() -> mounter.unmount(target));
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(error).hasMessageContaining("still there");
    assertThatExceptionOfType(CsiException.class)
        .isThrownBy(() -> TargetPath.of("target_path", "/pods/t", jimfs).remove(mounter));
    assertThat(target).exists();
    mounter.unmount(target);
    TargetPath.of("target_path", "/pods/t", jimfs).remove(mounter);
    assertThat(target).doesNotExist();
    assertThat(source).exists();
  }

  @Test
  void anUnmountThatHappenedIsAcceptedWhateverIsReported() {
    mounter.bind(source, target, MountOptions.NONE);
    kernel.next(Fault.WORKS_BUT_REPORTS_FAILURE);
    mounter.unmount(target);
    mounter.bind(source, target, MountOptions.NONE);
    kernel.next(Fault.HANGS_AFTER_THE_WORK);
    mounter.unmount(target);
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  void anUnmountThatHangsIsUnavailable() {
    mounter.bind(source, target, MountOptions.NONE);
    kernel.next(Fault.HANGS);
    assertThat(failure(() -> mounter.unmount(target)).code()).isEqualTo(Code.UNAVAILABLE);
  }

  @Test
  @DisplayName("B043 an unmount of what is in use is refused, and says by whom")
  void aBusyUnmountNamesWhoHoldsIt() throws IOException {
    mounter.bind(source, target, MountOptions.NONE);
    Path process = jimfs.getPath("/proc/4711");
    Files.createDirectories(process.resolve("fd"));
    Files.createSymbolicLink(process.resolve("cwd"), jimfs.getPath("/"));
    Files.createSymbolicLink(process.resolve("fd/3"), target.resolve("base/1"));
    Files.writeString(process.resolve("comm"), "postgres\n");
    Files.createDirectories(jimfs.getPath("/proc/4712"));
    long id = kernel.stackAt(target).get(0).id();
    kernel.line("60 " + id + " 8:1 /x /pods/t/inner rw - ext4 /dev/root rw");
    kernel.next(Fault.FAILS_FOR_BUSY);
    CsiException error = failure(() -> mounter.unmount(target));
    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(error)
        .hasMessage(
            "the mount is in use; mounted below it: /pods/t/inner; used by process 4711"
                + " (postgres)");
    assertThat(kernel.stackAt(target)).hasSize(1);
  }

  @Test
  @DisplayName("B037 B041 B056 unmounting what is not mounted or missing runs no program")
  void unmountingNothingIsFine() {
    mounter.unmount(target);
    mounter.unmount(jimfs.getPath("/pods/missing"));
    mounter.unmount(jimfs.getPath("/missing/too/deep"));
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  void aDeepStackIsUnmountedInFewRuns() {
    kernel.line("200 1 8:1 /a /pods/t rw - ext4 d rw");
    for (int i = 201; i < 300; i++) {
      kernel.line(i + " " + (i - 1) + " 8:1 /a /pods/t rw - ext4 d rw");
    }
    mounter.unmount(target);
    assertThat(kernel.stackAt(target)).isEmpty();
    assertThat(kernel.commands()).hasSize(4);
  }

  @Test
  void aHiddenMountIsNotCalledUnmounted() {
    kernel.line("2 1 8:1 /x /pods/t rw - ext4 d rw");
    kernel.line("3 1 8:2 / /pods rw - ext4 d rw");
    CsiException error = failure(() -> mounter.unmount(target));
    assertThat(error.code()).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(error).hasMessageContaining("hidden").hasMessageEndingWith("/pods");
  }

  @Test
  void aLinkInTheParentIsResolvedAndOneAtTheEndIsRefused() throws IOException {
    Files.createSymbolicLink(jimfs.getPath("/kubelet"), jimfs.getPath("/pods"));
    mounter.bind(source, jimfs.getPath("/kubelet/t"), MountOptions.NONE);
    assertThat(kernel.stackAt(target)).hasSize(1);
    assertThat(mounter.isMountOf(source, jimfs.getPath("/kubelet/t"))).isTrue();
    mounter.unmount(jimfs.getPath("/kubelet/t"));
    assertThat(kernel.stackAt(target)).isEmpty();

    Path link = Files.createSymbolicLink(jimfs.getPath("/pods/link"), target);
    assertThat(failure(() -> mounter.bind(source, link, MountOptions.NONE)).code())
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(failure(() -> mounter.bind(link, target, MountOptions.NONE)).code())
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  void missingAndWrongEndsAreRefused() throws IOException {
    Path file = Files.createFile(jimfs.getPath("/pods/file"));
    Path missing = jimfs.getPath("/pods/missing");
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> mounter.bind(missing, target, MountOptions.NONE),
            () -> mounter.bind(source, missing, MountOptions.NONE),
            () -> mounter.bind(source, jimfs.getPath("/pods/file/x"), MountOptions.NONE),
            () -> mounter.bind(source, file, MountOptions.NONE),
            () -> mounter.bind(file, target, MountOptions.NONE),
            () -> mounter.mount("tmpfs", file, "tmpfs", List.of()))) {
      assertThat(failure(call).code()).isEqualTo(Code.FAILED_PRECONDITION);
    }
    assertThat(kernel.commands()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"relative", "/", "/pods/../t", "/pods/./t", ""})
  void pathsThatAreNotAbsoluteAndNormalisedAreRefused(String path) {
    Path bad = jimfs.getPath(path);
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> mounter.bind(source, bad, MountOptions.NONE),
            () -> mounter.unmount(bad),
            () -> mounter.mountAt(bad))) {
      assertThat(failure(call).code()).isEqualTo(Code.INVALID_ARGUMENT);
    }
  }

  @Test
  @Proves("GEN-SEC-007")
  void aFileSystemIsMountedOnceAndItsSecretsAreNotShown() {
    List<String> options = List.of("username=me,password=s3cret!", "nosuid");
    mounter.mount("//server/share", target, "cifs", options);
    mounter.mount("//server/share/", target, "cifs", options);
    assertThat(kernel.commands()).hasSize(1);
    assertThat(kernel.commands().get(0).toString())
        .isEqualTo("mount -n -c --make-private -t cifs -w -o *** -- //server/share /pods/t");
    assertThat(kernel.commands().get(0).arguments())
        .contains("username=me,password=s3cret!,nosuid");
    assertThat(failure(() -> mounter.mount("//other/share", target, "cifs", options)).code())
        .isEqualTo(Code.ALREADY_EXISTS);
    assertThat(failure(() -> mounter.mount("//server/share", target, "cifs", List.of("ro"))).code())
        .isEqualTo(Code.ALREADY_EXISTS);
  }

  @Test
  @DisplayName("B052 a file system that does not mount leaves nothing")
  void aFileSystemThatDoesNotMountLeavesNothing() {
    kernel.next(Fault.FAILS);
    assertThat(failure(() -> mounter.mount("/dev/x", target, "ext4", List.of())).code())
        .isEqualTo(Code.INTERNAL);
    kernel.next(Fault.IGNORES_OPTIONS);
    assertThat(failure(() -> mounter.mount("/dev/x", target, "ext4", List.of("noexec"))))
        .hasMessageContaining("without noexec");
    kernel.next(Fault.IGNORES_OPTIONS);
    assertThat(failure(() -> mounter.mount("/dev/x", target, "ext4", List.of("rw", "ro"))))
        .hasMessageContaining("writable");
    assertThat(kernel.stackAt(target)).isEmpty();
  }

  @Test
  void optionsWithAnotherErrandAreRefused() {
    for (String option :
        List.of("bind", "nosuid,remount", "move", "rbind", "X-mount.mkdir", "x-mount.mkdir=0700")) {
      assertThat(failure(() -> mounter.mount("/etc", target, "ext4", List.of(option))).code())
          .isEqualTo(Code.INVALID_ARGUMENT);
    }
    for (String type : List.of("", "-x", "ext4,xfs", "a b")) {
      assertThat(failure(() -> mounter.mount("/dev/x", target, type, List.of())).code())
          .isEqualTo(Code.INVALID_ARGUMENT);
    }
    assertThat(failure(() -> mounter.mount(" ", target, "ext4", List.of())).code())
        .isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(kernel.commands()).isEmpty();
  }

  @Test
  @DisplayName("B030 B050 random steps on three targets agree with a model, faults included")
  void randomStepsAgreeWithAModel() throws IOException {
    Random random = new Random(30);
    Path[] targets = new Path[3];
    boolean[] mounted = new boolean[3];
    for (int i = 0; i < targets.length; i++) {
      targets[i] = Files.createDirectories(jimfs.getPath("/pods/r" + i));
    }
    Fault[] faults = {Fault.NONE, Fault.NONE, Fault.FAILS, Fault.CLAIMS_SUCCESS, Fault.HANGS};
    for (int step = 0; step < 1000; step++) {
      int i = random.nextInt(targets.length);
      boolean bind = random.nextBoolean();
      Fault fault = faults[random.nextInt(faults.length)];
      boolean runs = bind != mounted[i];
      if (runs) {
        kernel.next(fault);
      }
      boolean works = !runs || fault == Fault.NONE;
      CsiException error =
          failure(
              () -> {
                if (bind) {
                  mounter.bind(source, targets[i], MountOptions.NONE);
                } else {
                  mounter.unmount(targets[i]);
                }
              });
      assertThat(error == null).as("step %d: %s", step, fault).isEqualTo(works);
      mounted[i] = works ? bind : mounted[i];
      for (int j = 0; j < targets.length; j++) {
        assertThat(kernel.stackAt(targets[j])).hasSize(mounted[j] ? 1 : 0);
      }
    }
  }
}
