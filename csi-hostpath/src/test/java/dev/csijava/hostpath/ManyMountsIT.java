package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.StoredVolumes;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with very many mounts (rule K9). How long calls take there is for the benchmarks. */
class ManyMountsIT {
  private static final VolumeCapability SHARED = Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);
  private static final int MANY = 2_000;
  private static final int CALLS = 5;

  /**
   * Neither the table of mounts nor the store of volumes is gone through for a pod that comes or
   * goes.
   */
  @ParameterizedTest
  @ValueSource(strings = {"directory", "image"})
  void b103PublishAndUnpublishReadNoMoreWithVeryManyMountsAndVolumesThanWithFew(
      String backing, @TempDir Path directory) throws Exception {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    Path few = Files.createDirectory(directory.resolve("few"));
    Path many = Files.createDirectory(directory.resolve("many"));
    StoredVolumes.make(many.resolve("state"), 0, MANY);
    Path top = Files.createDirectory(directory.resolve("top"));
    long bytesWithFew = bytesReadForAPod(few, backing);
    Programs.run("mount", "-n", "-t", "tmpfs", "-o", "size=16m", "t", top.toString());
    try {
      Path source = Files.createDirectory(top.resolve("source"));
      for (int i = 0; i < MANY; i++) {
        Path target = Files.createDirectory(top.resolve("target-" + i));
        Mounter.system().bind(source, target, MountOptions.NONE);
      }
      long table = Files.readAllBytes(Path.of("/proc/self/mountinfo")).length;

      long bytesWithMany = bytesReadForAPod(many, backing);

      assertThat(table).as("bytes of the table").isGreaterThan(100L * MANY);
      assertThat(bytesWithMany).isLessThan(bytesWithFew + table / 4);
    } finally {
      // All of them at once: one by one they take their time.
      Programs.run("umount", "-n", "--lazy", top.toString());
    }
  }

  /** The least of some calls, since other threads read too. */
  private static long bytesReadForAPod(Path directory, String backing) throws IOException {
    try (ServedDriver driver = ServedDriver.start(directory)) {
      String id =
          driver
              .create(
                  backing.equals("image")
                      ? Requests.image("one", "ext4", Requests.SIZE)
                      : Requests.create("one"))
              .getVolumeId();
      driver.stage(id, SHARED);
      long least = Long.MAX_VALUE;
      for (int i = 0; i < CALLS; i++) {
        long before = bytesRead();
        driver.publish(id, "pod-" + i, SHARED, false);
        driver.unpublish(id, "pod-" + i);
        least = Math.min(least, bytesRead() - before);
      }
      driver.unstage(id);
      driver.delete(id);
      return least;
    }
  }

  /** As the kernel counts it for this process. */
  private static long bytesRead() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/io")).stream()
        .filter(line -> line.startsWith("rchar:"))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
        .findFirst()
        .orElseThrow();
  }
}
