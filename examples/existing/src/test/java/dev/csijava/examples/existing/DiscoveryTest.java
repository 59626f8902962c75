package dev.csijava.examples.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.examples.existing.Disk.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is found, what is missed, and that nothing takes the place of what is missed. */
class DiscoveryTest {
  private final Set<Path> mountPoints = new HashSet<>();
  private final Set<Path> blockDevices = new HashSet<>();
  private Path root;
  private Path directory;
  private Path records;

  @BeforeEach
  void makeDirectories(@TempDir Path temporary) throws IOException {
    root = temporary.toRealPath();
    directory = Files.createDirectory(root.resolve("disks"));
    records = Files.createDirectory(root.resolve("state"));
  }

  /** Whoever looks at this path waits until it is opened. */
  private final CountDownLatch dead = new CountDownLatch(1);

  private final CountDownLatch waiting = new CountDownLatch(1);

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A new one each time, as after a restart. */
  private Discovery discovery() {
    return new Discovery(
        directory,
        records,
        "node-1",
        new Facts() {
          @Override
          public boolean isMountPoint(Path path) {
            if (path.endsWith("hung")) {
              waiting.countDown();
              await(dead);
            }
            return mountPoints.contains(path);
          }

          @Override
          public boolean isBlockDevice(Path path) {
            return blockDevices.contains(path);
          }
        });
  }

  private Path mounted(String name) throws IOException {
    Path disk = Files.createDirectory(directory.resolve(name));
    mountPoints.add(disk);
    return disk;
  }

  private Path linked(String name) throws IOException {
    Path target = Files.createDirectory(root.resolve("target-of-" + name));
    Files.createSymbolicLink(directory.resolve(name), target);
    return target;
  }

  private Disk only() {
    List<Disk> all = discovery().all();
    assertThat(all).hasSize(1);
    return all.get(0);
  }

  @Test
  void mountsAndLinksToDirectoriesAndDevicesAreFound() throws IOException {
    Path mount = mounted("a");
    Path data = linked("b");
    Path device = Files.createFile(root.resolve("sdx"));
    blockDevices.add(device);
    Files.createSymbolicLink(directory.resolve("c"), device);

    assertThat(discovery().all())
        .extracting(Disk::name, Disk::kind, Disk::source)
        .containsExactlyInAnyOrder(
            tuple("a", Kind.MOUNT, mount),
            tuple("b", Kind.DIRECTORY, data),
            tuple("c", Kind.BLOCK, device));
    assertThat(discovery().all()).allSatisfy(disk -> assertThat(disk.fault()).isEmpty());
  }

  @Test
  void whatIsNoDiskIsNotServed() throws IOException {
    Files.createDirectory(directory.resolve("empty-place"));
    Files.createFile(directory.resolve("file"));
    Files.createSymbolicLink(directory.resolve("dangling"), root.resolve("nothing"));
    Files.createDirectory(directory.resolve("name with blanks"));
    mountPoints.add(directory.resolve("name with blanks"));

    assertThat(discovery().all()).isEmpty();
    assertThat(records).isEmptyDirectory();
  }

  @Test
  void anIdStaysTheSameAfterARestartAndDiffersFromNodeToNode() throws IOException {
    mounted("ssd");
    String id = only().id();

    assertThat(only().id()).isEqualTo(id).matches("[0-9a-f]{64}");
    assertThat(discovery().find(id)).get().extracting(Disk::name).isEqualTo("ssd");
    assertThat(new Discovery(directory, records, "node-2", Facts.system()).all())
        .extracting(Disk::id)
        .doesNotContain(id);
  }

  /** Rule K2. */
  @Test
  void noPathIsMadeOfAnId() throws IOException {
    mounted("ssd");

    assertThat(discovery().find("ssd")).isEmpty();
    assertThat(discovery().find("../disks/ssd")).isEmpty();
    assertThat(discovery().find("")).isEmpty();
  }

  /** Rule K6: after a reboot without its disk. */
  @Test
  void theEmptyDirectoryOfADiskThatIsNotMountedIsNotTakenForIt() throws IOException {
    Path place = mounted("ssd");
    String id = only().id();

    mountPoints.remove(place);

    assertThat(only().id()).isEqualTo(id);
    assertThat(only().fault()).contains("the disk is not mounted");
    assertThat(only().health().getHealthStatusesCount()).isEqualTo(1);
  }

  @Test
  void anotherDirectoryInItsPlaceIsNotTakenForIt() throws IOException {
    Path data = linked("data");
    assertThat(only().fault()).isEmpty();

    Files.move(data, root.resolve("moved"));
    Files.createDirectory(data);

    assertThat(only().fault()).isPresent();
    Files.delete(data);
    assertThat(only().fault()).isPresent();
    Files.move(root.resolve("moved"), data);
    assertThat(only().fault()).isEmpty();
  }

  @Test
  void aVanishedEntryIsStillListedUntilItsRecordIsDeleted() throws IOException {
    Path device = Files.createFile(root.resolve("sdx"));
    blockDevices.add(device);
    Files.createSymbolicLink(directory.resolve("c"), device);
    assertThat(only().fault()).isEmpty();

    Files.delete(directory.resolve("c"));

    assertThat(only().fault()).contains("the block device is gone");
    Files.delete(records.resolve("c"));
    assertThat(discovery().all()).isEmpty();
  }

  @Test
  void aDamagedRecordHurtsOneDiskAndIsNotOverwritten() throws IOException {
    mounted("ssd");
    linked("data");
    assertThat(discovery().all()).hasSize(2);
    Files.writeString(records.resolve("ssd"), "MOU");

    assertThat(discovery().all())
        .filteredOn(disk -> disk.fault().isPresent())
        .extracting(Disk::name)
        .containsExactly("ssd");
    assertThat(records.resolve("ssd")).hasContent("MOU");
  }

  /** Rule K15. */
  @Test
  void aDiskThatHangsHoldsNoOtherUp() throws Exception {
    mounted("hung");
    mounted("ssd");
    Discovery discovery = discovery();
    Thread stuck = new Thread(discovery::all);
    stuck.setDaemon(true);
    stuck.start();
    try {
      assertThat(waiting.await(1, TimeUnit.MINUTES)).isTrue();
      String id = KubeletPaths.volumeHandleHash("node-1/ssd");
      CompletableFuture<Optional<Disk>> found =
          CompletableFuture.supplyAsync(() -> discovery.find(id));
      assertThat(found.get(1, TimeUnit.MINUTES)).get().extracting(Disk::name).isEqualTo("ssd");
    } finally {
      dead.countDown();
      stuck.join();
    }
  }
}
