package dev.csijava.core.mount;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every {@link Mounter} keeps when it mounts file systems. Needs root and loop devices. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class FileSystemMountContract {
  private static final int SECONDS = 60;
  private static final long MIB = 1 << 20;

  @TempDir Path temporary;

  private final List<String> devices = new ArrayList<>();
  private MountsBelow mounts;
  private Mounter mounter;
  private Path directory;
  private Path target;

  protected abstract Mounter newMounter();

  /** An empty directory; what is mounted there is cleaned up. */
  protected final Path target() {
    return target;
  }

  @BeforeEach
  void setUp() throws Exception {
    directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
    mounter = newMounter();
    target = Files.createDirectory(directory.resolve("target"));
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
      for (String device : devices) {
        run("losetup", "-d", device);
      }
    }
  }

  private static Code code(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error.code();
  }

  /** A loop device with a new file system of this type. */
  private String device(String type, String... losetup) throws Exception {
    String program = "mkfs." + type;
    assumeProgram(program);
    Path image = directory.resolve("image" + devices.size());
    try (RandomAccessFile file = new RandomAccessFile(image.toString(), "rw")) {
      file.setLength((type.equals("ext4") ? 16 : 320) * MIB);
    }
    run(program, "-q", image.toString());
    List<String> command = new ArrayList<>(List.of("losetup", "-f", "--show"));
    command.addAll(Arrays.asList(losetup));
    command.add(image.toString());
    Process process = new ProcessBuilder(command).start();
    String device = process.inputReader().readLine();
    assertThat(process.waitFor(SECONDS, TimeUnit.SECONDS)).isTrue();
    assertThat(device).as("losetup").isNotNull();
    devices.add(device);
    return device;
  }

  private static void assumeProgram(String program) {
    assumeTrue(
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, program))),
        program + " is missing");
  }

  private void mountTmpfs(String... options) {
    mounter.mount("volume", target, "tmpfs", List.of(options));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs", "btrfs"})
  @DisplayName("B118 an image's file system is mounted once, with its options, and unmounted")
  void anImageIsMounted(String type) throws Exception {
    String device = device(type);
    List<String> options = List.of("nosuid,nodev", "noatime");
    mounter.mount(device, target, type, options);
    mounter.mount(device, target, type, options);
    assertThat(mounts.list()).hasSize(1);
    Mount mount = mounter.mountAt(target).orElseThrow();
    assertThat(mount.fileSystemType()).isEqualTo(type);
    assertThat(mount.source()).isEqualTo(device);
    assertThat(mount.options()).contains("rw", "nosuid", "nodev", "noatime");
    Files.writeString(target.resolve("file"), "kept");
    assertThat(code(() -> mounter.mount(device, target, type, List.of("ro"))))
        .isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    mounter.mount(device, target, type, List.of("ro"));
    assertThat(target.resolve("file")).hasContent("kept");
    assertThat(mounter.mountAt(target).orElseThrow().superOptions()).contains("ro");
    assertThatThrownBy(() -> Files.createFile(target.resolve("other")))
        .hasMessageContaining("Read-only file system");
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  void optionsOfTheFileSystemReachIt() throws Exception {
    String device = device("ext4");
    mounter.mount(device, target, "ext4", List.of("errors=remount-ro", "nodelalloc", "sync"));
    assertThat(mounter.mountAt(target).orElseThrow().superOptions())
        .contains("errors=remount-ro", "nodelalloc", "sync");
    assertThat(code(() -> mounter.mount("/dev/null", target, "ext4", List.of())))
        .isEqualTo(Code.ALREADY_EXISTS);
  }

  @Test
  @DisplayName("B117 a device that refuses writes is not quietly mounted read-only")
  void aReadOnlyDeviceIsNotQuietlyMountedReadOnly() throws Exception {
    String device = device("ext4", "-r");
    assertThat(code(() -> mounter.mount(device, target, "ext4", List.of())))
        .isEqualTo(Code.INTERNAL);
    assertThat(mounts.list()).isEmpty();
    mounter.mount(device, target, "ext4", List.of("rw", "ro", "noload"));
    assertThat(mounter.mountAt(target).orElseThrow().readOnly()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"ext4,nosuchoption", "ext4,errors=nonsense", "ext4,data=journal=x", "xfs,size=1"})
  @DisplayName("B052 an option that the file system refuses leaves nothing")
  void anOptionThatIsRefusedLeavesNothing(String type, String option) throws Exception {
    String device = device("ext4");
    CsiException error =
        catchThrowableOfType(
            CsiException.class, () -> mounter.mount(device, target, type, List.of(option)));
    assertThat(error.code()).isEqualTo(Code.INTERNAL);
    assertThat(mounts.list()).isEmpty();
    assertRefusalIsNamed(error, option);
    mounter.mount(device, target, "ext4", List.of());
  }

  /** What the kernel said in words is for those who hear it. */
  protected void assertRefusalIsNamed(CsiException error, String option) {}

  @Test
  void whatOnlyTheProgramUnderstandsWorksToo() throws Exception {
    Path image = directory.resolve("image0");
    String device = device("ext4");
    mounter.mount(device, target, "ext4", List.of("defaults", "nofail", "x-systemd.automount"));
    mounter.unmount(target);
    run("losetup", "-d", devices.remove(0));
    mounter.mount(image.toString(), target, "ext4", List.of("loop"));
    assertThat(mounter.mountAt(target).orElseThrow().fileSystemType()).isEqualTo("ext4");
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B020 a file system is mounted on a directory that is no link, and on nothing else")
  void onlyADirectoryIsMountedOn() throws IOException {
    Path victim = Files.createDirectory(directory.resolve("victim"));
    Files.delete(target);
    assertThat(code(this::mountTmpfs)).isEqualTo(Code.FAILED_PRECONDITION);
    Files.createSymbolicLink(target, victim);
    assertThat(code(this::mountTmpfs)).isEqualTo(Code.FAILED_PRECONDITION);
    Files.delete(target);
    Files.createFile(target);
    assertThat(code(this::mountTmpfs)).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  @DisplayName("B025 a file system mounted in a shared mount is private")
  void aFileSystemInASharedMountIsPrivate() throws Exception {
    Path shared = Files.createDirectory(directory.resolve("shared"));
    run("mount", "-n", "-t", "tmpfs", "t", shared.toString());
    run("mount", "-n", "--make-shared", shared.toString());
    Path inside = Files.createDirectory(shared.resolve("inside"));
    mounter.mount("volume", inside, "tmpfs", List.of("noexec"));
    MountTable table = MountTable.read();
    assertThat(table.isShared(table.at(inside).orElseThrow())).isFalse();
  }

  @Test
  @DisplayName("B031 another file system at the target is refused, copies are peeled to one")
  void anotherFileSystemIsRefusedAndCopiesArePeeled() throws Exception {
    String device = device("ext4");
    run("mount", "-n", device, target.toString());
    run("mount", "-n", "--bind", target.toString(), target.toString());
    assertThat(code(this::mountTmpfs)).isEqualTo(Code.ALREADY_EXISTS);
    assertThat(mounts.list()).hasSize(2);
    mounter.mount(device, target, "ext4", List.of());
    assertThat(mounts.list()).hasSize(1);
    assertThat(code(() -> mounter.mount(device, target, "ext4", List.of("nodev"))))
        .isEqualTo(Code.ALREADY_EXISTS);
  }

  @Test
  @DisplayName("B046 a file system that answers every call with an error is judged and unmounted")
  void aFileSystemThatFailsEveryCallIsUnmounted() throws Exception {
    assumeProgram("xfs_io");
    String device = device("xfs");
    mounter.mount(device, target, "xfs", List.of());
    run("xfs_io", "-x", "-c", "shutdown", target.toString());
    assertThatThrownBy(() -> Files.readAttributes(target, "*")).isInstanceOf(IOException.class);
    assertThat(mounter.mountAt(target).orElseThrow().fileSystemType()).isEqualTo("xfs");
    assertThat(mounter.isMountOf(directory, target)).isFalse();
    assertThat(code(() -> mounter.bind(directory, target, MountOptions.NONE)))
        .isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
    mounter.mount(device, target, "xfs", List.of());
    assertThat(target).isEmptyDirectory();
  }

  @Test
  @DisplayName("B046 what is mounted from a directory that was deleted meanwhile is unmounted")
  void whatWasDeletedMeanwhileIsUnmounted() throws Exception {
    Path source = Files.createDirectory(directory.resolve("source"));
    mounter.bind(source, target, MountOptions.NONE);
    Files.delete(source);
    assertThat(mounter.mountAt(target).orElseThrow().root()).endsWith("//deleted");
    Files.createDirectory(source);
    assertThat(mounter.isMountOf(source, target)).isFalse();
    assertThat(code(() -> mounter.bind(source, target, MountOptions.NONE)))
        .isEqualTo(Code.ALREADY_EXISTS);
    mounter.unmount(target);
    assertThat(mounts.list()).isEmpty();
  }

  @Test
  void whatIsNoMountAtATargetIsRefused() {
    for (String option : List.of("remount", "bind", "x-mount.mkdir", "nosuid,move")) {
      assertThat(code(() -> mountTmpfs(option))).as(option).isEqualTo(Code.INVALID_ARGUMENT);
    }
    assertThat(code(() -> mounter.mount("a", target, "../x", List.of())))
        .isEqualTo(Code.INVALID_ARGUMENT);
    assertThat(code(() -> mounter.mount("a", Path.of("/"), "tmpfs", List.of())))
        .isEqualTo(Code.INVALID_ARGUMENT);
  }
}
