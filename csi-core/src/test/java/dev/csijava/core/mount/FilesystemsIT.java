package dev.csijava.core.mount;

import static dev.csijava.core.mount.MountsBelow.run;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.ProbeResult.Blank;
import dev.csijava.core.mount.ProbeResult.Found;
import dev.csijava.core.mount.ProbeResult.Unknown;
import io.grpc.Status.Code;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real file systems in images. Needs root, loop devices, e2fsprogs and xfsprogs. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FilesystemsIT {
  private static final long MIB = 1 << 20;

  @TempDir Path temporary;

  private final Filesystems filesystems = Filesystems.byPrograms(Duration.ofMinutes(2), 2);
  private final LoopDevices loops = LoopDevices.byPrograms(Duration.ofMinutes(1));
  private final Mounter mounter = Mounter.system();
  private final List<Path> images = new ArrayList<>();
  private MountsBelow mounts;
  private Path directory;

  @BeforeEach
  void setUp() throws Exception {
    directory = temporary.toRealPath();
    MountsBelow.assumePermitted(directory);
    mounts = new MountsBelow(directory);
  }

  @AfterEach
  void tearDown() throws Exception {
    if (mounts != null) {
      mounts.clean();
      images.forEach(loops::detach);
    }
  }

  private static void assumeProgramsOf(FileSystemType type) {
    boolean there =
        Arrays.stream(System.getenv("PATH").split(":", -1))
            .anyMatch(d -> Files.isExecutable(Path.of(d, "mkfs." + type.typeName())));
    assumeTrue(there, "mkfs." + type.typeName() + " is missing");
  }

  private Path image(String name, long size) throws IOException {
    Path image = directory.resolve(name);
    images.add(image);
    write(image, size - 1, (byte) 0);
    return image;
  }

  private static void write(Path image, long at, byte value) throws IOException {
    try (FileChannel file =
        FileChannel.open(image, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[] {value}), at);
    }
  }

  private static long size(FileSystemType type) {
    return type == FileSystemType.XFS ? 320 * MIB : 16 * MIB;
  }

  private static Code code(ThrowingCallable call) {
    CsiException error = catchThrowableOfType(CsiException.class, call);
    assertThat(error).as("an error").isNotNull();
    return error.code();
  }

  @Test
  @DisplayName("B009 what can't be read or is not known is never called blank")
  void theProbeHasThreeAnswers() throws Exception {
    assumeProgramsOf(FileSystemType.EXT4);
    Path image = image("image", 16 * MIB);
    assertThat(filesystems.probe(image)).isInstanceOf(Blank.class);
    write(image, 5000, (byte) 1);
    assertThat(filesystems.probe(image)).isInstanceOf(Unknown.class);
    Path end = image("end", 16 * MIB);
    write(end, 16 * MIB - 1, (byte) 1);
    assertThat(filesystems.probe(end)).isInstanceOf(Unknown.class);
    assertThat(filesystems.probe(directory.resolve("none"))).isInstanceOf(Unknown.class);
    assertThat(filesystems.probe(directory)).isInstanceOf(Unknown.class);
    assertThat(filesystems.probe(Files.createFile(directory.resolve("empty"))))
        .isInstanceOf(Unknown.class);
    Path swap = image("swap", 16 * MIB);
    run("mkswap", swap.toString());
    assertThat(filesystems.probe(swap)).isInstanceOf(Unknown.class);
    for (Path refused : List.of(image, end, swap, directory.resolve("none"))) {
      assertThat(code(() -> filesystems.make(refused, FileSystemType.EXT4, true)))
          .isEqualTo(Code.FAILED_PRECONDITION);
    }
  }

  @ParameterizedTest
  @EnumSource(FileSystemType.class)
  @DisplayName("B009 a file system is made once, on proof of record and probe")
  void aFileSystemIsMadeOnceOnProof(FileSystemType type) throws Exception {
    assumeProgramsOf(type);
    Path image = image("image", size(type));
    assertThat(code(() -> filesystems.make(image, type, false)))
        .isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(filesystems.probe(image)).isInstanceOf(Blank.class);
    filesystems.make(image, type, true);
    ProbeResult made = filesystems.probe(image);
    assertThat(made).isInstanceOf(Found.class);
    assertThat(((Found) made).typeName()).isEqualTo(type.typeName());
    assertThat(code(() -> filesystems.make(image, type, true))).isEqualTo(Code.FAILED_PRECONDITION);
    assertThat(filesystems.probe(image)).isEqualTo(made);
    filesystems.check(image, type);
  }

  @ParameterizedTest
  @EnumSource(FileSystemType.class)
  @DisplayName("B010 a copy gets its own UUID, is mounted beside its source, and both grow online")
  void aCopyIsMountedBesideItsSourceAndGrows(FileSystemType type) throws Exception {
    assumeProgramsOf(type);
    Path image = image("image", size(type));
    filesystems.make(image, type, true);
    Path target = mount(image, type);
    Files.writeString(target.resolve("file"), "kept");
    mounter.unmount(target);
    Path copy = directory.resolve("copy");
    images.add(copy);
    run("cp", "--sparse=always", image.toString(), copy.toString());
    filesystems.renewUuid(copy, type);
    assertThat(filesystems.probe(copy)).isNotEqualTo(filesystems.probe(image));
    Path again = mount(image, type);
    Path beside = mount(copy, type);
    assertThat(beside.resolve("file")).hasContent("kept");
    assertThat(again.resolve("file")).hasContent("kept");
    long before = total(beside);
    write(copy, size(type) + 64 * MIB - 1, (byte) 0);
    assertThat(loops.grow(copy)).isEqualTo(size(type) + 64 * MIB);
    Path device = loops.find(copy).orElseThrow().node();
    if (type == FileSystemType.XFS || mayGrowExt4Online()) {
      filesystems.grow(device, beside, type);
    } else {
      assertThatThrownBy(() -> filesystems.grow(device, beside, type))
          .hasMessageContaining("CAP_SYS_RESOURCE");
      mounter.unmount(beside);
      filesystems.growUnmounted(device, type);
      assertThat(mount(copy, type)).isEqualTo(beside);
    }
    assertThat(total(beside)).isGreaterThan(before + 50 * MIB);
    assertThat(beside.resolve("file")).hasContent("kept");
    mounter.unmount(beside);
    mounter.unmount(again);
  }

  /** The kernel asks for CAP_SYS_RESOURCE, which not every root has. */
  private static boolean mayGrowExt4Online() throws IOException {
    String effective =
        Files.readAllLines(Path.of("/proc/self/status")).stream()
            .filter(line -> line.startsWith("CapEff:"))
            .findFirst()
            .orElseThrow();
    return (Long.parseLong(effective.substring(7).strip(), 16) >> 24 & 1) == 1;
  }

  private Path mount(Path image, FileSystemType type) throws IOException {
    Path target = Files.createDirectories(directory.resolve("on-" + image.getFileName()));
    LoopDevice device = loops.attach(image, false);
    mounter.mount(device.node().toString(), target, type.typeName(), List.of());
    return target;
  }

  private static long total(Path target) {
    return UsageReader.system().ofFileSystem(target).bytes().total();
  }

  @Test
  void damageThatCannotBeMendedIsAnError() throws Exception {
    assumeProgramsOf(FileSystemType.EXT4);
    Path image = image("image", 16 * MIB);
    assertThat(code(() -> filesystems.check(image, FileSystemType.EXT4))).isEqualTo(Code.INTERNAL);
    assertThat(code(() -> filesystems.renewUuid(image, FileSystemType.EXT4)))
        .isEqualTo(Code.INTERNAL);
  }
}
