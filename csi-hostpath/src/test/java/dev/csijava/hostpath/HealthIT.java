package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What real file systems tell of a volume that is published. */
@DisplayName("the health of images that fail or are full")
class HealthIT {
  private static final long MIB = 1L << 20;

  private ServedDriver driver;
  private @Nullable Path staging;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(Programs.missing("losetup", "mkfs.ext4").isEmpty(), "losetup, mkfs.ext4 needed");
    driver = ServedDriver.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private String image(String type, long bytes) throws IOException {
    String id = driver.create(Requests.image("one", type, bytes)).getVolumeId();
    VolumeCapability capability = Requests.fileSystem(type, Mode.SINGLE_NODE_MULTI_WRITER);
    staging = driver.stage(id, capability);
    driver.publish(id, "pod", capability, false);
    assertThat(reasons(id)).isEmpty();
    return id;
  }

  private List<String> reasons(String id) throws IOException {
    return driver
        .client()
        .node()
        .nodeGetVolumeHealth(
            NodeGetVolumeHealthRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePublishPath(driver.target("pod").toString())
                .build())
        .getVolumeHealth()
        .getHealthStatusesList()
        .stream()
        .map(VolumeHealthEntry::getReason)
        .toList();
  }

  private void assertCanBeTakenAway(String id) throws IOException {
    driver.unpublish(id, "pod");
    var _ =
        driver
            .client()
            .node()
            .nodeUnstageVolume(
                NodeUnstageVolumeRequest.newBuilder()
                    .setVolumeId(id)
                    .setStagingTargetPath(Objects.requireNonNull(staging).toString())
                    .build());
    assertThat(Loops.below(driver.root())).isEmpty();
    driver.delete(id);
  }

  @Test
  void aVolumeThatIsNearlyFullSaysSo() throws IOException {
    String id = image("ext4", 32 * MIB);
    Path file = driver.target("pod").resolve("file");
    Files.write(
        file,
        new byte[Math.toIntExact(Files.getFileStore(file.getParent()).getUsableSpace() - MIB)]);
    assertThat(reasons(id)).containsExactly("NearlyFull");
    Files.delete(file);
    assertThat(reasons(id)).isEmpty();
  }

  @Test
  void anExt4ThatTakesNoWritesAfterAnErrorSaysSo() throws IOException {
    String id = image("ext4", 16 * MIB);
    Mount mount = MountTable.read().at(driver.target("pod")).orElseThrow();
    Path trigger =
        Path.of(
            "/sys/fs/ext4", Path.of(mount.source()).getFileName().toString(), "trigger_fs_error");
    assumeTrue(Files.isWritable(trigger), "this kernel makes no errors on demand");
    Files.writeString(trigger, "a test");
    assertThat(reasons(id)).containsExactly("FileSystemReadOnly");
    assertCanBeTakenAway(id);
  }

  @Test
  void anXfsThatShutItselfDownSaysSo() throws IOException {
    assumeTrue(Programs.missing("mkfs.xfs", "xfs_io").isEmpty(), "xfsprogs are needed");
    String id = image("xfs", 300 * MIB);
    String output = Programs.run("xfs_io", "-x", "-c", "shutdown", driver.target("pod").toString());
    assertThat(output).isEmpty();
    assertThat(reasons(id)).containsExactly("IoError");
    assertCanBeTakenAway(id);
  }
}
