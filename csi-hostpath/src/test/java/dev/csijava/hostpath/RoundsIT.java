package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Many lives of volumes leave no loop device, no mount and no file. */
class RoundsIT {
  private static final VolumeCapability EXT4 =
      Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
  private static final VolumeCapability BLOCK = Requests.block(Mode.SINGLE_NODE_MULTI_WRITER);

  @Test
  @DisplayName("ten rounds leave losetup -a as it was (B043)")
  void tenRoundsLeaveNothing(@TempDir Path directory) throws IOException {
    rounds(directory, 10);
  }

  @Test
  @Tag("exhaustive")
  @DisplayName("a hundred rounds leave losetup -a as it was (B043)")
  void aHundredRoundsLeaveNothing(@TempDir Path directory) throws IOException {
    rounds(directory, 100);
  }

  private static void rounds(Path directory, int rounds) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(Programs.missing("losetup", "mkfs.ext4").isEmpty(), "losetup and mkfs.ext4 needed");
    try (ServedDriver driver = ServedDriver.start(directory)) {
      for (int round = 0; round < rounds; round++) {
        String image = driver.create(Requests.image("i" + round, "ext4", 1 << 20)).getVolumeId();
        String block = driver.create(Requests.blockVolume("b" + round, 1 << 20)).getVolumeId();
        live(driver, image, EXT4);
        live(driver, block, BLOCK);
        assertThat(Loops.below(driver.root())).as("round %s", round).isEmpty();
      }
      assertThat(MountTable.read().below(driver.root())).isEmpty();
      try (var volumes = Files.list(driver.root().resolve("state/volumes"));
          var staged = Files.list(driver.root().resolve("run/staged"));
          var published = Files.list(driver.root().resolve("run/publications"))) {
        assertThat(volumes).isEmpty();
        assertThat(staged).isEmpty();
        assertThat(published).isEmpty();
      }
    }
  }

  private static void live(ServedDriver driver, String id, VolumeCapability capability)
      throws IOException {
    driver.stage(id, capability);
    driver.publish(id, id, capability, false);
    driver.unpublish(id, id);
    driver.unstage(id);
    driver.delete(id);
  }
}
