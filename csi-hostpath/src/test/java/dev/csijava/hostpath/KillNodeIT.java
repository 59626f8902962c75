package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** kill -9 of the driver while volumes are staged and published. */
class KillNodeIT {
  private static final long SIZE = 2 << 20;

  /** About how long the calls of one round take. */
  private static final int ROUND_MILLIS = 600;

  @BeforeAll
  static void needs() {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(Programs.missing("losetup", "mkfs.ext4").isEmpty(), "losetup and mkfs.ext4 needed");
  }

  @Test
  @DisplayName("six rounds with a kill in each leave losetup -a as it was (B043, B064)")
  void sixRoundsWithKillsLeaveNothing(@TempDir Path directory) throws Exception {
    rounds(directory, 6);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 20, unit = TimeUnit.MINUTES)
  @DisplayName("a hundred rounds with a kill in each leave losetup -a as it was (B043, B064)")
  void aHundredRoundsWithKillsLeaveNothing(@TempDir Path directory) throws Exception {
    rounds(directory, 100);
  }

  private static void rounds(Path directory, int rounds) throws Exception {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    try (MainProcess driver = new MainProcess(directory)) {
      CrashWorld world = new CrashWorld(driver);
      for (int round = 0; round < rounds; round++) {
        String when = "seed " + seed + ", round " + round;
        int delay = random.nextInt(ROUND_MILLIS);
        Thread killer = Thread.ofPlatform().start(() -> killAfter(driver, delay));
        round(world, "image-" + round, true);
        round(world, "block-" + round, false);
        killer.join();
        if (driver.isKilled()) {
          driver.restart();
        }
        assertThat(Loops.below(driver.root())).as(when).isEmpty();
        assertThat(MountTable.read().below(driver.root())).as(when).isEmpty();
      }
      world.endAll();
    }
  }

  private static void killAfter(MainProcess driver, int millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    driver.kill();
  }

  private static void round(CrashWorld world, String name, boolean image) throws Exception {
    untilDone(
        world,
        () ->
            world.create(
                name,
                image ? Requests.image(name, "ext4", SIZE) : Requests.blockVolume(name, SIZE)));
    untilDone(world, () -> world.attach(name));
    untilDone(world, () -> world.stage(name));
    untilDone(world, () -> world.publish(name, name, false));
    untilDone(world, () -> world.unpublish(name, name));
    untilDone(world, () -> world.unstage(name));
    untilDone(world, () -> world.detach(name));
    untilDone(world, () -> world.delete(name));
  }

  /** A call. */
  @FunctionalInterface
  private interface Call {
    void run() throws IOException;
  }

  /** There is one kill a round, so a second failure is a fault. */
  private static void untilDone(CrashWorld world, Call call) throws Exception {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      world.driver().restart();
      call.run();
    }
  }

  @Test
  @DisplayName("what is published outlives the driver, and the next one goes on with it (B177)")
  void whatIsPublishedOutlivesTheDriver(@TempDir Path directory) throws Exception {
    try (MainProcess driver = new MainProcess(directory)) {
      CrashWorld world = new CrashWorld(driver);
      world.create("directory", Requests.create("directory"));
      world.create("image", Requests.image("image", "ext4", SIZE));
      world.create("block", Requests.blockVolume("block", SIZE));
      List<String> names = List.of("directory", "image", "block");
      for (String name : names) {
        world.attach(name);
        world.stage(name);
        world.publish(name, name, false);
        write(world, name, "written before");
      }

      driver.kill();

      for (String name : names) {
        assertThat(read(world, name)).as(name).isEqualTo("written before");
        write(world, name, "written after.");
      }
      driver.restart();
      for (String name : names) {
        assertThat(read(world, name)).as(name).isEqualTo("written after.");
        assertThat(
                driver
                    .client()
                    .node()
                    .nodeGetVolumeStats(
                        NodeGetVolumeStatsRequest.newBuilder()
                            .setVolumeId(world.id(name))
                            .setVolumePath(world.target(name).toString())
                            .build())
                    .getUsage(0)
                    .getTotal())
            .isPositive();
        world.unpublish(name, name);
        world.unstage(name);
      }
      world.endAll();
    }
  }

  private static Path file(CrashWorld world, String name) throws IOException {
    Path target = world.target(name);
    return name.equals("block") ? target : target.resolve("file");
  }

  private static void write(CrashWorld world, String name, String text) throws IOException {
    Path file = file(world, name);
    if (!name.equals("block")) {
      Files.writeString(file, text);
      return;
    }
    try (FileChannel device = FileChannel.open(file, StandardOpenOption.WRITE)) {
      int _ = device.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      device.force(true);
    }
  }

  private static String read(CrashWorld world, String name) throws IOException {
    try (FileChannel channel = FileChannel.open(file(world, name), StandardOpenOption.READ)) {
      ByteBuffer text = ByteBuffer.allocate("written before".length());
      int _ = channel.read(text);
      return new String(text.array(), StandardCharsets.UTF_8);
    }
  }

  @Test
  @DisplayName("a second process on one state directory does not start, and harms nothing")
  void aSecondProcessDoesNotStart(@TempDir Path directory) throws Exception {
    try (MainProcess driver = new MainProcess(directory)) {
      CrashWorld world = new CrashWorld(driver);
      world.create("v", Requests.create("v"));
      Process second =
          MainProcess.start(driver.root(), MainProcess.freePort(), List.of("-Xmx128m"));
      try {
        assertThat(second.waitFor(1, TimeUnit.MINUTES)).as("the second one ends").isTrue();
        assertThat(second.exitValue()).isEqualTo(Main.NOT_STARTED);
        assertThat(Files.readString(driver.root().resolve("log")))
            .contains("csi-hostpath does not start")
            .contains("in use by another process");
      } finally {
        second.destroyForcibly();
      }
      world.create("v", Requests.create("v"));
      world.endAll();
    }
  }
}
