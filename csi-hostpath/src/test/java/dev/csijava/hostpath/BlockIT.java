package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeUsage;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Raw block volumes, with real loop devices. */
class BlockIT {
  private static final long MIB = 1L << 20;
  private static final VolumeCapability BLOCK = Requests.block(Mode.SINGLE_NODE_MULTI_WRITER);

  private ServedDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(Programs.missing("losetup", "mkfs.ext4").isEmpty(), "losetup and mkfs.ext4 needed");
    driver = ServedDriver.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static long sizeOf(Path device) throws IOException {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
      return channel.size();
    }
  }

  private static void write(Path device, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), 0);
    }
  }

  private static String read(Path device, int length) throws IOException {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.READ)) {
      ByteBuffer bytes = ByteBuffer.allocate(length);
      channel.read(bytes, 0);
      return new String(bytes.array(), StandardCharsets.UTF_8);
    }
  }

  private List<Path> targets() throws IOException {
    return MountTable.read().below(driver.root()).stream().map(Mount::target).toList();
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

  private long expand(String id, long bytes) {
    return driver
        .client()
        .controller()
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build())
        .getCapacityBytes();
  }

  private long expandOnNode(String id, Path path) {
    return driver
        .client()
        .node()
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(path.toString())
                .build())
        .getCapacityBytes();
  }

  @Test
  @DisplayName("a block volume is a device of exactly its size (B028, B110)")
  void aBlockVolumeIsADeviceAtItsTargetAndNothingAtItsStagingPath() throws IOException {
    Volume volume = driver.create(Requests.blockVolume("one", 3 * MIB + 1));
    String id = volume.getVolumeId();
    Path staging = driver.stage(id, BLOCK);
    assertThat(targets()).isEmpty();
    Path a = driver.publish(id, "a", BLOCK, false);
    driver.publish(id, "a", BLOCK, false);
    Path b = driver.publish(id, "b", BLOCK, false);

    assertThat(targets()).containsExactlyInAnyOrder(a, b);
    assertThat(volume.getCapacityBytes()).isEqualTo(3 * MIB + 4096);
    assertThat(sizeOf(a)).isEqualTo(volume.getCapacityBytes());
    write(a, "through a");
    assertThat(read(b, 9)).isEqualTo("through a");
    assertThat(stats(id, a))
        .singleElement()
        .satisfies(
            usage -> {
              assertThat(usage.getUnit()).isEqualTo(VolumeUsage.Unit.BYTES);
              assertThat(usage.getTotal()).isEqualTo(volume.getCapacityBytes());
            });
    assertCode(Status.Code.NOT_FOUND, () -> stats(id, driver.target("c")));
    assertCode(Status.Code.ALREADY_EXISTS, () -> driver.publish(id, "a", BLOCK, true));
    assertCode(
        Status.Code.FAILED_PRECONDITION,
        () -> driver.stage(id, Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER)));

    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.unstage(id));
    driver.unpublish(id, "a");
    driver.unpublish(id, "b");
    driver.unpublish(id, "b");
    assertThat(a).doesNotExist();
    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.delete(id));
    driver.unstage(id);
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
    assertThat(staging).isEmptyDirectory();
    driver.delete(id);
  }

  @Test
  @DisplayName("a staging path belongs to one volume (B033)")
  void anotherVolumeAtTheSameStagingPathIsRefused() throws IOException {
    String one = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    String two = driver.create(Requests.blockVolume("two", MIB)).getVolumeId();
    Path staging = driver.stage(one, BLOCK);
    driver.restart();

    assertCode(
        Status.Code.ALREADY_EXISTS,
        () ->
            driver
                .client()
                .node()
                .nodeStageVolume(
                    NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(two)
                        .setStagingTargetPath(staging.toString())
                        .setVolumeCapability(BLOCK)
                        .build()));
    assertThat(Loops.below(driver.root())).hasSize(1);
  }

  @Test
  @DisplayName("a read-only block volume takes no writes (B115)")
  void aReadOnlyPublicationIsAReadOnlyDevice() throws IOException {
    String id = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    driver.stage(id, BLOCK);
    Path ro = driver.publish(id, "ro", BLOCK, true);

    assertThatThrownBy(() -> write(ro, "x")).isInstanceOf(IOException.class);
    assertThat(MountTable.read().at(ro).orElseThrow().options()).contains("ro");
    assertCode(Status.Code.FAILED_PRECONDITION, () -> driver.publish(id, "rw", BLOCK, false));
    assertThat(driver.target("rw")).doesNotExist();
    driver.unpublish(id, "ro");
    write(driver.publish(id, "rw", BLOCK, false), "x");
    driver.unpublish(id, "rw");
    driver.unstage(id);
  }

  @Test
  @DisplayName("file, device and answer grow in this order, and content is opaque (B104, B107)")
  void aBlockVolumeGrowsWhileItIsPublished() throws IOException {
    String id = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    driver.stage(id, BLOCK);
    Path a = driver.publish(id, "a", BLOCK, false);
    Programs.run("mkfs.ext4", "-q", a.toString());
    String before = Programs.run("blkid", "-p", a.toString());

    assertThat(expand(id, 2 * MIB)).isEqualTo(2 * MIB);
    assertThat(sizeOf(a)).isEqualTo(MIB);
    assertThat(expandOnNode(id, a)).isEqualTo(2 * MIB);
    assertThat(sizeOf(a)).isEqualTo(2 * MIB);
    assertThat(expand(id, 3 * MIB)).isEqualTo(3 * MIB);
    assertThat(expandOnNode(id, driver.staging(id))).isEqualTo(3 * MIB);
    assertThat(sizeOf(a)).isEqualTo(3 * MIB);
    assertThat(expand(id, 1)).isEqualTo(3 * MIB);
    assertThat(Programs.run("blkid", "-p", a.toString())).isEqualTo(before);
  }

  @Test
  @DisplayName("publish after a reboot attaches again (B047, 2c of the Go driver)")
  void aRebootIsRepairedByTheNextPublish() throws IOException {
    String id = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    driver.stage(id, BLOCK);
    Path a = driver.publish(id, "a", BLOCK, false);
    write(a, "kept");

    driver.reboot();
    // Kubelet's directory is still there, and so is the file that the device was bound onto.
    driver.publish(id, "a", BLOCK, false);
    assertThat(read(a, 4)).isEqualTo("kept");
    driver.unpublish(id, "a");
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
    assertThat(targets()).isEmpty();
  }

  @Test
  @DisplayName("an open device is not released, and its user is named (B043)")
  void aDeviceThatIsOpenIsNotReleased() throws IOException {
    String id = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    driver.stage(id, BLOCK);
    Path node = Loops.below(driver.root()).keySet().iterator().next();
    try (FileChannel open = FileChannel.open(node, StandardOpenOption.READ)) {
      assertThat(open.isOpen()).isTrue();
      assertThatThrownBy(() -> driver.unstage(id)).hasMessageContaining("java");
    }
    driver.unstage(id);
    assertThat(Loops.below(driver.root())).isEmpty();
  }

  @Test
  @DisplayName("a device of somebody else is left alone (K5)")
  void aLoopDeviceOfSomebodyElseStays() throws IOException {
    Path foreign = driver.root().resolve("foreign");
    String id = driver.create(Requests.blockVolume("one", MIB)).getVolumeId();
    Files.copy(driver.data(id), foreign);
    Programs.run("losetup", "--find", foreign.toString());
    driver.stage(id, BLOCK);
    driver.unstage(id);
    driver.delete(id);

    assertThat(Loops.below(driver.root()).values()).containsExactly(foreign.toString());
  }

  @Test
  @DisplayName("a block volume becomes an image and an image a block volume (rules, restore)")
  void copiesGoAcrossBlockAndImage() throws IOException {
    VolumeCapability ext4 = Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
    String image = driver.create(Requests.image("image", "ext4", 4 * MIB)).getVolumeId();
    Files.writeString(driver.stage(image, ext4).resolve("file"), "kept");
    String snapshot =
        driver
            .client()
            .controller()
            .createSnapshot(Requests.snapshot("snap", image).build())
            .getSnapshot()
            .getSnapshotId();
    String block =
        driver
            .create(
                Requests.blockVolume("block", 4 * MIB)
                    .setVolumeContentSource(Requests.fromSnapshot(snapshot)))
            .getVolumeId();
    String again =
        driver
            .create(
                Requests.image("again", "ext4", 8 * MIB)
                    .setVolumeContentSource(Requests.fromVolume(block)))
            .getVolumeId();
    String blank =
        driver
            .create(
                Requests.image("blank", "ext4", 4 * MIB)
                    .setVolumeContentSource(
                        Requests.fromVolume(
                            driver.create(Requests.blockVolume("zeros", MIB)).getVolumeId())))
            .getVolumeId();

    Path staging = driver.stage(again, ext4);
    assertThat(staging.resolve("file")).hasContent("kept");
    assertThat(Files.getFileStore(staging).getTotalSpace()).isGreaterThan(5 * MIB);
    assertThat(driver.stage(blank, ext4).resolve("lost+found")).isDirectory();
  }
}
