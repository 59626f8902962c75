package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.DeepTree;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What lies in a volume has no part in how long its calls take: a delete is one rename, and stats
 * walk no tree (rules K7, K15).
 */
class LargeTreesIT {
  private static final VolumeCapability WRITER = Requests.mount(Mode.SINGLE_NODE_WRITER);
  private static final int PER_DIRECTORY = 1_000;
  private static final int LIVES_ALONE = 5;

  /**
   * Much longer than a rename takes on a busy machine, much shorter than to remove a large tree.
   */
  private static final Duration LONG = Duration.ofSeconds(2);

  @BeforeAll
  static void needs() {
    assumeTrue(ServedDriver.canMount(), "mounts need root");
  }

  @Test
  @DisplayName("a tree of 20,000 files holds up neither its delete nor anything else (B169, B174)")
  void manyFilesHoldNothingUp(@TempDir Path directory) throws Exception {
    deleteManyFiles(directory, 20_000);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @DisplayName("a tree of a million files holds up neither its delete nor anything else (B174)")
  void aMillionFilesHoldNothingUp(@TempDir Path directory) throws Exception {
    deleteManyFiles(directory, 1_000_000);
  }

  @Test
  @DisplayName("a tree of 3,000 levels holds up neither its delete nor anything else (K1)")
  void manyLevelsHoldNothingUp(@TempDir Path directory) throws Exception {
    deleteDeepTree(directory, 3_000);
  }

  @Test
  @Tag("exhaustive")
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @DisplayName("a tree of 100,000 levels holds up neither its delete nor anything else (K1)")
  void aHundredThousandLevelsHoldNothingUp(@TempDir Path directory) throws Exception {
    deleteDeepTree(directory, 100_000);
  }

  private static void deleteManyFiles(Path directory, int files) throws Exception {
    try (ServedDriver driver = ServedDriver.start(directory)) {
      String id = driver.create(Requests.create("large")).getVolumeId();
      Path data = driver.data(id);
      for (int i = 0; i < files; i++) {
        Path folder = data.resolve("d" + i / PER_DIRECTORY);
        if (i % PER_DIRECTORY == 0) {
          Files.createDirectory(folder);
        }
        Files.createFile(folder.resolve("f" + i));
      }
      assertStatsAreQuick(driver, id);
      assertDeleteIsQuick(driver, id);
    }
  }

  private static void assertStatsAreQuick(ServedDriver driver, String id) throws IOException {
    driver.stage(id, WRITER);
    Path target = driver.publish(id, "large", WRITER, false);
    long start = System.nanoTime();
    driver
        .client()
        .node()
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(target.toString())
                .build());
    assertThat(since(start)).as("stats").isLessThan(LONG);
    driver.unpublish(id, "large");
    driver.unstage(id);
  }

  private static void deleteDeepTree(Path directory, int levels) throws Exception {
    try (ServedDriver driver = ServedDriver.start(directory)) {
      String id = driver.create(Requests.create("deep")).getVolumeId();
      DeepTree.make(driver.data(id), levels);
      try {
        assertDeleteIsQuick(driver, id);
      } finally {
        if (Files.exists(driver.data(id))) {
          DeepTree.remove(driver.data(id));
        }
      }
    }
  }

  private static void assertDeleteIsQuick(ServedDriver driver, String id) throws Exception {
    List<Duration> alone = new ArrayList<>();
    for (int i = 0; i < LIVES_ALONE; i++) {
      alone.add(live(driver, "alone" + i));
    }
    long start = System.nanoTime();
    driver.delete(id);
    Duration delete = since(start);
    // While the tree is removed, others live.
    List<Duration> beside = new ArrayList<>();
    do {
      beside.add(live(driver, "other" + beside.size()));
    } while (!isTrashEmpty(driver.root()) && beside.size() < 100_000);
    System.out.printf(
        "delete answered after %d ms; %d lives beside the removal, usually %d ms, alone %d ms%n",
        delete.toMillis(), beside.size(), median(beside).toMillis(), median(alone).toMillis());
    // Compared with what this machine does for others at this time, since it may be busy.
    assertThat(delete).as("delete").isLessThan(atLeastLong(alone));
    assertThat(median(beside)).as("the life of another volume").isLessThan(atLeastLong(alone));
    assertThat(isTrashEmpty(driver.root())).isTrue();
  }

  private static Duration live(ServedDriver driver, String name) throws IOException {
    long start = System.nanoTime();
    String id = driver.create(Requests.create(name)).getVolumeId();
    driver.stage(id, WRITER);
    driver.publish(id, id, WRITER, false);
    driver.unpublish(id, id);
    driver.unstage(id);
    driver.delete(id);
    return since(start);
  }

  private static Duration median(List<Duration> durations) {
    return durations.stream().sorted().toList().get(durations.size() / 2);
  }

  private static Duration atLeastLong(List<Duration> alone) {
    Duration much = median(alone).multipliedBy(4);
    return much.compareTo(LONG) > 0 ? much : LONG;
  }

  private static boolean isTrashEmpty(Path root) throws IOException {
    try (Stream<Path> trash = Files.list(root.resolve("state/trash"))) {
      return trash.findAny().isEmpty();
    }
  }

  private static Duration since(long start) {
    return Duration.ofNanos(System.nanoTime() - start);
  }
}
