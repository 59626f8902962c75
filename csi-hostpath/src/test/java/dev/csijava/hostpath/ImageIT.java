package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeUsage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Volumes with a file system of their own, with real mounts and loop devices. */
class ImageIT {
  private static final long MIB = 1L << 20;
  private static final long EXT4 = 16 * MIB;
  private static final long XFS = 300 * MIB;

  private ServedDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(
        Programs.missing("losetup", "mkfs.ext4", "mkfs.xfs", "xfs_admin").isEmpty(),
        "losetup, e2fsprogs and xfsprogs are needed");
    driver = ServedDriver.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static VolumeCapability shared(String type, String... flags) {
    return Requests.fileSystem(type, Mode.SINGLE_NODE_MULTI_WRITER, flags);
  }

  private static long size(String type) {
    return type.equals("xfs") ? XFS : EXT4;
  }

  private Mount mountAt(Path path) throws IOException {
    return MountTable.read().at(path).orElseThrow();
  }

  private List<VolumeUsage> stats(String id, Path path) {
    return driver
        .client()
        .node()
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path.toString())
                .build())
        .getUsageList();
  }

  private ControllerExpandVolumeResponse expand(String id, long bytes) {
    return driver
        .client()
        .controller()
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build());
  }

  private long expandOnNode(String id, Path path) throws IOException {
    return driver
        .client()
        .node()
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path.toString())
                .setStagingTargetPath(driver.staging(id).toString())
                .build())
        .getCapacityBytes();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  @DisplayName("an image has a real size (B028, B118)")
  void anImageIsMountedWhereItIsStagedAndBoundFromThere(String type) throws IOException {
    Volume volume = driver.create(Requests.image("one", type, size(type) + 1));
    String id = volume.getVolumeId();
    assertThat(volume.getCapacityBytes()).isEqualTo(size(type) + 4096);
    Path staging = driver.stage(id, shared(type, "noatime", "nosuid", "discard"));
    Path a = driver.publish(id, "a", shared(type, "noatime", "nosuid", "discard"), false);
    Path ro = driver.publish(id, "ro", shared(type, "noatime", "nosuid", "discard"), true);
    driver.publish(id, "a", shared(type, "noatime", "nosuid", "discard"), false);

    assertThat(MountTable.read().below(driver.root()))
        .extracting(Mount::target)
        .containsExactlyInAnyOrder(staging, a, ro);
    assertThat(mountAt(staging).fileSystemType()).isEqualTo(type);
    assertThat(mountAt(staging).superOptions()).contains("discard");
    for (Path path : List.of(staging, a, ro)) {
      assertThat(mountAt(path).options()).contains("noatime", "nosuid");
    }
    assertThat(mountAt(ro).options()).contains("ro");
    assertThatThrownBy(() -> Files.writeString(ro.resolve("x"), "x"))
        .isInstanceOf(IOException.class);
    assertThat(Loops.below(driver.root())).hasSize(1);

    List<VolumeUsage> usage = stats(id, a);
    assertThat(usage).hasSize(2);
    assertThat(usage.get(0).getTotal()).isBetween(size(type) / 2, size(type) + 4096);
    assertThat(usage.get(1).getTotal()).isPositive();
    assertThatThrownBy(() -> fill(a.resolve("big"), size(type) + MIB))
        .hasMessageContaining("No space left");
    assertThat(stats(id, a).get(0).getAvailable()).isLessThan(MIB);

    driver.unpublish(id, "a");
    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.unstage(id));
    driver.unpublish(id, "ro");
    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.delete(id));
    driver.unstage(id);
    driver.unstage(id);
    assertThat(MountTable.read().below(driver.root())).isEmpty();
    assertThat(Loops.below(driver.root())).isEmpty();
    assertThat(staging).isEmptyDirectory();
    driver.delete(id);
  }

  private static void fill(Path file, long bytes) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      java.nio.ByteBuffer block = java.nio.ByteBuffer.allocate((int) MIB);
      for (long done = 0; done < bytes; done += MIB) {
        block.clear();
        channel.write(block);
      }
      channel.force(true);
    }
  }

  @Test
  @DisplayName(
      "a volume that is still mounted elsewhere is not unstaged, and the mount is named (B044)")
  void aForeignMountOfTheVolumeKeepsItStaged() throws IOException {
    String id = driver.create(Requests.image("one", "ext4", EXT4)).getVolumeId();
    Path staging = driver.stage(id, shared("ext4"));
    Path extra = Files.createDirectory(driver.root().resolve("extra"));
    Mounter.system().bind(staging, extra, dev.csijava.core.mount.MountOptions.NONE);

    assertThatThrownBy(() -> driver.unstage(id)).hasMessageContaining(extra.toString());
    assertThat(mountAt(staging).fileSystemType()).isEqualTo("ext4");
    Mounter.system().unmount(extra);
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  @DisplayName(
      "publish after a reboot, or after the staging was lost, stages again (B047, B049, B050)")
  void aPublishStagesAgainWhatIsLost(String type) throws IOException {
    String id = driver.create(Requests.image("one", type, size(type))).getVolumeId();
    driver.stage(id, shared(type));
    Path a = driver.publish(id, "a", shared(type), false);
    Files.writeString(a.resolve("file"), "kept");

    driver.reboot();
    driver.publish(id, "a", shared(type), false);
    assertThat(a.resolve("file")).hasContent("kept");
    assertThat(driver.staging(id).resolve("file")).hasContent("kept");

    driver.unpublish(id, "a");
    Mounter.system().unmount(driver.staging(id));
    driver.publish(id, "a", shared(type), false);
    assertThat(a.resolve("file")).hasContent("kept");
    assertThat(mountAt(driver.staging(id)).fileSystemType()).isEqualTo(type);

    driver.restart();
    driver.unpublish(id, "a");
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  @DisplayName(
      "a copy is staged beside its source, and is as large as it was asked for (B133, B134)")
  void aLargerCopyStandsBesideItsSourceAndHasGrown(String type) throws IOException {
    String source = driver.create(Requests.image("source", type, size(type))).getVolumeId();
    driver.stage(source, shared(type));
    Path a = driver.publish(source, "a", shared(type), false);
    // Not synced: what was written before the call is in the copy (B130).
    Files.writeString(a.resolve("file"), "source");

    Volume larger =
        driver.create(
            Requests.image("copy", type, 2 * size(type))
                .setVolumeContentSource(Requests.fromVolume(source)));
    String copy = larger.getVolumeId();
    driver.stage(copy, shared(type));
    Path b = driver.publish(copy, "b", shared(type), false);

    assertThat(b.resolve("file")).hasContent("source");
    assertThat(larger.getCapacityBytes()).isEqualTo(2 * size(type));
    assertThat(stats(copy, b).get(0).getTotal()).isGreaterThan(size(type));
    Files.writeString(b.resolve("file"), "copy");
    assertThat(a.resolve("file")).hasContent("source");
    assertThat(uuid(driver.data(copy))).isNotEqualTo(uuid(driver.data(source)));
    assertCode(
        Status.Code.OUT_OF_RANGE,
        () ->
            driver.create(
                Requests.image("smaller", type, size(type) - 4096)
                    .setVolumeContentSource(Requests.fromVolume(source))));
    assertCode(
        Status.Code.INVALID_ARGUMENT,
        () ->
            driver.create(
                Requests.create("directory").setVolumeContentSource(Requests.fromVolume(source))));
  }

  private static String uuid(Path image) {
    return Programs.run("blkid", "-p", "-s", "UUID", "-o", "value", image.toString()).strip();
  }

  @Test
  @DisplayName("an xfs grows while a pod uses it (B096, B107)")
  void anXfsGrowsWhileItIsPublished() throws IOException {
    String id = driver.create(Requests.image("one", "xfs", XFS)).getVolumeId();
    driver.stage(id, shared("xfs"));
    Path a = driver.publish(id, "a", shared("xfs"), false);
    long before = stats(id, a).get(0).getTotal();

    assertCode(Status.Code.OUT_OF_RANGE, () -> expand(id, 1L << 50));
    ControllerExpandVolumeResponse answer = expand(id, XFS + 64 * MIB + 1);
    assertThat(answer.getCapacityBytes()).isEqualTo(XFS + 64 * MIB + 4096);
    assertThat(answer.getNodeExpansionRequired()).isTrue();
    assertThat(expandOnNode(id, a)).isEqualTo(answer.getCapacityBytes());
    assertThat(expandOnNode(id, driver.staging(id))).isEqualTo(answer.getCapacityBytes());

    assertThat(stats(id, a).get(0).getTotal()).isGreaterThanOrEqualTo(before + 60 * MIB);
  }

  @Test
  void anExt4GrowsWhileItIsPublishedOrElseWhenItIsStagedNext() throws IOException {
    String id = driver.create(Requests.image("one", "ext4", EXT4)).getVolumeId();
    driver.stage(id, shared("ext4"));
    Path a = driver.publish(id, "a", shared("ext4"), false);
    Files.writeString(a.resolve("file"), "kept");
    expand(id, 2 * EXT4);

    Status.Code code = Status.Code.OK;
    try {
      expandOnNode(id, a);
    } catch (StatusRuntimeException e) {
      code = e.getStatus().getCode();
    }
    if (code == Status.Code.OK) {
      assertThat(stats(id, a).get(0).getTotal()).isGreaterThan(EXT4);
    } else {
      // Without CAP_SYS_RESOURCE.
      assertThat(code).isEqualTo(Status.Code.FAILED_PRECONDITION);
    }
    driver.unpublish(id, "a");
    driver.unstage(id);
    driver.stage(id, shared("ext4"));
    driver.publish(id, "a", shared("ext4"), false);
    assertThat(stats(id, a).get(0).getTotal()).isGreaterThan(EXT4);
    assertThat(a.resolve("file")).hasContent("kept");
    assertThat(expandOnNode(id, a)).isEqualTo(2 * EXT4);
  }

  @Test
  void theSmallestImageHoldsAFileAndGrows() throws IOException {
    Volume volume = driver.create(Requests.image("tiny", "ext4", 1));
    String id = volume.getVolumeId();
    assertThat(volume.getCapacityBytes()).isEqualTo(MIB);
    Path staging = driver.stage(id, shared("ext4"));
    Files.writeString(staging.resolve("file"), "kept");
    driver.unstage(id);
    expand(id, 64 * MIB);
    driver.stage(id, shared("ext4"));
    assertThat(staging.resolve("file")).hasContent("kept");
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(48 * MIB);
  }

  @ParameterizedTest
  @ValueSource(strings = {"ext4", "xfs"})
  @DisplayName("an inline volume is an image where its attributes say so, and goes with its device")
  void anInlineImageHasARealSizeAndGoesWithItsDevice(String type) throws IOException {
    NodePublishVolumeRequest request =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId("csi-inline")
            .setTargetPath(driver.target("pod").toString())
            .setVolumeCapability(Requests.fileSystem(type, Mode.SINGLE_NODE_WRITER, "nosuid"))
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .putVolumeContext("backing", "image")
            .putVolumeContext("size", "5Mi")
            .build();
    assertThat(driver.client().node().nodePublishVolume(request)).isNotNull();
    Path target = driver.target("pod");
    assertThat(mountAt(target).fileSystemType()).isEqualTo(type);
    assertThat(mountAt(target).options()).contains("nosuid");
    assertThat(stats("csi-inline", target).get(0).getTotal())
        .isBetween(type.equals("xfs") ? XFS / 2 : 2 * MIB, type.equals("xfs") ? XFS : 5 * MIB);
    Files.writeString(target.resolve("file"), "kept");

    driver.reboot();
    assertThat(driver.client().node().nodePublishVolume(request)).as("again").isNotNull();
    assertThat(target.resolve("file")).hasContent("kept");

    driver.unpublish("csi-inline", "pod");
    driver.unpublish("csi-inline", "pod");
    assertThat(target).doesNotExist();
    assertThat(Loops.below(driver.root())).isEmpty();
    assertThat(driver.root().resolve("state/volumes")).isEmptyDirectory();
  }

  @Test
  @DisplayName("a busy volume is not unstaged, and its user is named (B043)")
  void aVolumeThatIsInUseIsNotUnstaged() throws IOException {
    String id = driver.create(Requests.image("one", "ext4", EXT4)).getVolumeId();
    Path staging = driver.stage(id, shared("ext4"));
    try (FileChannel open =
        FileChannel.open(
            staging.resolve("file"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThat(open.isOpen()).isTrue();
      assertThatThrownBy(() -> driver.unstage(id)).hasMessageContaining("java");
    }
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
  }

  /** As a shell or another driver that somebody started with a mount namespace of its own. */
  @Test
  @DisplayName(
      "who has the volume mounted in another mount namespace is named, and then waited for")
  void aMountInAnotherNamespaceIsNamed() throws Exception {
    assumeTrue(Programs.missing("unshare").isEmpty(), "unshare is needed");
    String id = driver.create(Requests.image("one", "ext4", EXT4)).getVolumeId();
    driver.stage(id, shared("ext4"));
    Process other = new ProcessBuilder("unshare", "--mount", "sh", "-c", "echo; read _").start();
    try {
      assertThat(other.getInputStream().read()).as("it has its copy of all mounts").isPositive();
      assertThatThrownBy(() -> driver.unstage(id))
          .hasMessageContaining("FAILED_PRECONDITION")
          .hasMessageContaining("mount namespace of process " + other.pid() + " (sh)");
    } finally {
      other.destroyForcibly().waitFor();
    }
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
  }

  @Test
  @DisplayName("what can't be mounted is not published, and nothing is left (B052)")
  void aBrokenImageFailsAndLeavesNothing() throws IOException {
    String id = driver.create(Requests.image("one", "ext4", EXT4)).getVolumeId();
    try (FileChannel channel = FileChannel.open(driver.data(id), StandardOpenOption.WRITE)) {
      channel.write(java.nio.ByteBuffer.wrap(new byte[8192]), 0);
      channel.write(
          java.nio.ByteBuffer.wrap(
              "not a file system".getBytes(java.nio.charset.StandardCharsets.UTF_8)),
          1000);
    }
    assertThatThrownBy(() -> driver.stage(id, shared("ext4")))
        .isInstanceOf(StatusRuntimeException.class);
    assertThatThrownBy(() -> driver.publish(id, "a", shared("ext4"), false))
        .isInstanceOf(StatusRuntimeException.class);
    assertThat(Loops.below(driver.root())).isEmpty();
    assertThat(driver.target("a")).doesNotExist();
    assertThat(MountTable.read().below(driver.root())).isEmpty();
  }
}
