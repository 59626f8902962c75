package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The SnapshotMetadata service through the whole driver, on a block volume and on an image. */
class SnapshotMetadataIT {
  private static final long MIB = 1L << 20;

  private ServedDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    driver =
        ServedDriver.start(
            directory,
            settings -> TestSettings.withMetadata(settings, BlockMetadataType.VARIABLE_LENGTH),
            HostpathDriver::open);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private SnapshotMetadataGrpc.SnapshotMetadataBlockingStub metadata() {
    return SnapshotMetadataGrpc.newBlockingStub(driver.client().channel());
  }

  private List<GetMetadataDeltaResponse> delta(String base, String target, long start) {
    List<GetMetadataDeltaResponse> messages = new ArrayList<>();
    metadata()
        .getMetadataDelta(
            GetMetadataDeltaRequest.newBuilder()
                .setBaseSnapshotId(base)
                .setTargetSnapshotId(target)
                .setStartingOffset(start)
                .build())
        .forEachRemaining(messages::add);
    return messages;
  }

  private List<GetMetadataAllocatedResponse> allocated(String snapshot) {
    List<GetMetadataAllocatedResponse> messages = new ArrayList<>();
    metadata()
        .getMetadataAllocated(
            GetMetadataAllocatedRequest.newBuilder().setSnapshotId(snapshot).build())
        .forEachRemaining(messages::add);
    return messages;
  }

  private static void write(Path device, long offset, int bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(device, StandardOpenOption.WRITE)) {
      ByteBuffer content = ByteBuffer.allocate(bytes);
      while (content.hasRemaining()) {
        content.put((byte) 3);
      }
      int _ = channel.write(content.flip(), offset);
    }
  }

  @Test
  @DisplayName("SMETA-STREAM-001, and the Go driver refuses it when the volume is deleted")
  void whatAPodWroteToItsDeviceIsWhatHasChanged() throws IOException {
    VolumeCapability block = Requests.block(Mode.SINGLE_NODE_MULTI_WRITER);
    String id = driver.create(Requests.blockVolume("one", 8 * MIB)).getVolumeId();
    driver.stage(id, block);
    Path device = driver.publish(id, "a", block, false);
    write(device, MIB, 4096);
    String base = driver.snapshot("base", id);
    // Not synced: the device is flushed for the cut.
    write(device, 5 * MIB + 4000, 200);
    String target = driver.snapshot("target", id);
    driver.unpublish(id, "a");
    driver.unstage(id);
    driver.delete(id);

    List<GetMetadataDeltaResponse> messages = delta(base, target, 0);
    assertThat(messages).hasSize(1);
    assertThat(messages.getFirst().getVolumeCapacityBytes()).isEqualTo(8 * MIB);
    assertThat(messages.getFirst().getBlockMetadataList())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.getByteOffset()).isEqualTo(5 * MIB);
              assertThat(one.getSizeBytes()).isEqualTo(8192);
            });
    assertThat(allocated(base).getFirst().getBlockMetadataList())
        .extracting(BlockMetadata::getByteOffset)
        .containsExactly(MIB);
    assertThat(delta(base, target, 8 * MIB).getFirst().getBlockMetadataList()).isEmpty();
    assertCode(Status.Code.OUT_OF_RANGE, () -> delta(base, target, 8 * MIB + 1));
    assertCode(Status.Code.OUT_OF_RANGE, () -> delta(base, target, -1));
    assertCode(Status.Code.NOT_FOUND, () -> allocated("none"));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> allocated(""));
  }

  @Test
  void aVolumeThatNobodyWroteToHasNoAllocatedBlock() throws IOException {
    String id = driver.create(Requests.blockVolume("one", 8 * MIB)).getVolumeId();
    String fresh = driver.snapshot("fresh", id);
    var _ =
        driver
            .client()
            .controller()
            .controllerExpandVolume(
                ControllerExpandVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(16 * MIB))
                    .build());
    String grown = driver.snapshot("grown", id);

    assertThat(allocated(fresh))
        .singleElement()
        .satisfies(
            message -> {
              assertThat(message.getVolumeCapacityBytes()).isEqualTo(8 * MIB);
              assertThat(message.getBlockMetadataList()).isEmpty();
            });
    assertThat(allocated(grown).getFirst().getBlockMetadataList()).isEmpty();
    assertThat(delta(fresh, grown, 0).getFirst().getBlockMetadataList()).isEmpty();
  }

  @Test
  void theFilesThatAreWrittenInAnImageAreAmongItsChangedBlocks() throws IOException {
    VolumeCapability ext4 = Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
    String id = driver.create(Requests.image("one", "ext4", 16 * MIB)).getVolumeId();
    Path staging = driver.stage(id, ext4);
    String base = driver.snapshot("base", id);
    byte[] content = new byte[1 << 20];
    new Random(7).nextBytes(content);
    Files.write(staging.resolve("file"), content);
    String target = driver.snapshot("target", id);
    String again = driver.snapshot("again", id);

    // What a backup does: the base with the changed blocks laid over it is the target.
    Path snapshots = driver.root().resolve("state/snapshots");
    byte[] rebuilt = Files.readAllBytes(snapshots.resolve(base).resolve("data"));
    byte[] wanted = Files.readAllBytes(snapshots.resolve(target).resolve("data"));
    long changed = 0;
    for (GetMetadataDeltaResponse message : delta(base, target, 0)) {
      for (var range : message.getBlockMetadataList()) {
        int at = Math.toIntExact(range.getByteOffset());
        System.arraycopy(wanted, at, rebuilt, at, Math.toIntExact(range.getSizeBytes()));
        changed += range.getSizeBytes();
      }
    }
    assertThat(rebuilt).isEqualTo(wanted);
    assertThat(changed).isBetween(1L << 20, 4L << 20);
    assertThat(delta(target, again, 0).getFirst().getVolumeCapacityBytes()).isEqualTo(16 * MIB);
  }

  @Test
  void theServiceIsThereWhereItIsAskedFor(@TempDir Path other) throws IOException {
    assertThat(services(driver)).contains(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
    String tree = driver.create(Requests.create("tree")).getVolumeId();
    String snapshot = driver.snapshot("tree", tree);
    assertCode(Status.Code.INVALID_ARGUMENT, () -> allocated(snapshot));
    try (ServedDriver without = ServedDriver.start(other)) {
      assertThat(services(without))
          .doesNotContain(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
    }
  }

  private static List<PluginCapability.Service.Type> services(ServedDriver served) {
    return served
        .client()
        .identity()
        .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
        .getCapabilitiesList()
        .stream()
        .map(capability -> capability.getService().getType())
        .toList();
  }
}
