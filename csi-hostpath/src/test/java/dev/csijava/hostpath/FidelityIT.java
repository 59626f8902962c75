package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.copy.SampleTree;
import dev.csijava.hostpath.copy.TreePicture;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots, restores and clones through the whole driver: equal to their source (rule K12). */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FidelityIT {
  private static final long MIB = 1L << 20;
  private static final VolumeCapability SHARED = Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);

  private ServedDriver driver;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and owners need root");
    driver = ServedDriver.start(directory);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static CreateVolumeRequest.Builder directory(String name) {
    return Requests.create(name).clearVolumeCapabilities().addVolumeCapabilities(SHARED);
  }

  private Volume restore(String name, VolumeContentSource source) {
    return driver.create(directory(name).setVolumeContentSource(source));
  }

  @Test
  @DisplayName("B125 B127 B128 a restore and a clone equal their source in all that can be seen")
  void copiesOfADirectoryEqualTheirSource() throws Exception {
    String id = driver.create(directory("one")).getVolumeId();
    driver.stage(id, SHARED);
    Path pod = driver.publish(id, "a", SHARED, false);
    SampleTree.make(pod.resolve("tree"));
    Map<String, String> before = TreePicture.of(driver.data(id));

    String snapshot = driver.snapshot("snapshot", id);
    String clone = restore("clone", Requests.fromVolume(id)).getVolumeId();
    Files.writeString(pod.resolve("later"), "not in it");
    driver.unpublish(id, "a");
    driver.unstage(id);
    driver.delete(id);
    driver.restart();
    String restored = restore("restored", Requests.fromSnapshot(snapshot)).getVolumeId();

    assertThat(before).hasSizeGreaterThan(20);
    assertThat(TreePicture.of(driver.data(clone))).isEqualTo(before);
    assertThat(TreePicture.of(driver.data(restored))).isEqualTo(before);
  }

  @Test
  @DisplayName("B125 a sparse disk of 20 GiB is copied in seconds and takes no more room")
  void aSparseDiskStaysSparse() throws Exception {
    String id = driver.create(directory("one")).getVolumeId();
    Path disk = driver.data(id).resolve("disk");
    try (FileChannel channel =
        FileChannel.open(disk, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(new byte[(int) MIB]), 10L << 30);
      int _ = channel.write(ByteBuffer.wrap(new byte[1]), (20L << 30) - 1);
    }
    String snapshot = driver.snapshot("snapshot", id);
    String restored = restore("restored", Requests.fromSnapshot(snapshot)).getVolumeId();
    assertThat(TreePicture.of(driver.data(restored))).isEqualTo(TreePicture.of(driver.data(id)));
  }

  @Test
  @DisplayName("B020 a workload that swaps directories for links gets nothing out of a snapshot")
  void nothingIsReadThroughALinkOfAWorkload() throws Exception {
    Path secret = Files.createDirectory(driver.root().resolve("secret"));
    Files.writeString(secret.resolve("shadow"), "secret");
    String id = driver.create(directory("one")).getVolumeId();
    Path data = driver.data(id);
    for (int i = 0; i < 30; i++) {
      Files.createDirectories(data.resolve("d" + i + "/e"));
      Files.writeString(data.resolve("d" + i + "/e/shadow"), "harmless");
    }
    AtomicBoolean end = new AtomicBoolean();
    Thread workload = new Thread(() -> swap(data, secret, end));
    workload.start();
    try {
      for (int round = 0; round < 8; round++) {
        String snapshot = driver.snapshot("snapshot " + round, id);
        String clone = restore("clone " + round, Requests.fromVolume(id)).getVolumeId();
        assertHarmless(driver.root().resolve("state/snapshots").resolve(snapshot));
        assertHarmless(driver.data(clone));
      }
    } finally {
      end.set(true);
      workload.join();
    }
    assertThat(secret.resolve("shadow")).hasContent("secret");
  }

  private static void assertHarmless(Path copy) throws IOException {
    try (Stream<Path> all = Files.walk(copy)) {
      for (Path one : all.filter(path -> path.endsWith("shadow")).toList()) {
        assertThat(Files.isSymbolicLink(one.getParent())).isFalse();
        assertThat(Files.isRegularFile(one, LinkOption.NOFOLLOW_LINKS)).isTrue();
        assertThat(one).hasContent("harmless");
      }
    }
  }

  private static void swap(Path data, Path secret, AtomicBoolean end) {
    try {
      for (int i = 0; !end.get(); i = (i + 1) % 30) {
        Path inner = data.resolve("d" + i + "/e");
        Path aside = data.resolve("d" + i + "/aside");
        Files.move(inner, aside);
        Files.createSymbolicLink(inner, secret);
        Files.delete(inner);
        Files.move(aside, inner);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Snapshot snapshot(String name, String volumeId) {
    return driver
        .client()
        .controller()
        .createSnapshot(Requests.snapshot(name, volumeId).build())
        .getSnapshot();
  }

  @Test
  @DisplayName("B134 B136 sizes are those of source and request, whatever lies in it")
  void sizesAreThoseOfSourceAndRequest() throws IOException {
    for (boolean filled : new boolean[] {false, true}) {
      for (String kind : new String[] {"directory", "block"}) {
        String name = kind + filled;
        CreateVolumeRequest.Builder request = sized(kind, name, MIB);
        String id = driver.create(request).getVolumeId();
        if (filled) {
          Path data = driver.data(id);
          if (kind.equals("block")) {
            try (FileChannel channel = FileChannel.open(data, StandardOpenOption.WRITE)) {
              int _ = channel.write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 5000);
            }
          } else {
            Files.write(data.resolve("file"), new byte[10_000]);
          }
        }
        Snapshot made = snapshot("of " + name, id);
        assertThat(made.getSizeBytes()).isEqualTo(MIB);
        assertThat(made.getReadyToUse()).isTrue();
        VolumeContentSource source = Requests.fromSnapshot(made.getSnapshotId());
        assertThat(
                driver
                    .create(sized(kind, "same " + name, MIB).setVolumeContentSource(source))
                    .getCapacityBytes())
            .isEqualTo(MIB);
        Volume larger =
            driver.create(sized(kind, "larger " + name, 2 * MIB).setVolumeContentSource(source));
        assertThat(larger.getCapacityBytes()).isEqualTo(2 * MIB);
        if (kind.equals("block")) {
          assertThat(driver.data(larger.getVolumeId())).hasSize(2 * MIB);
        }
        assertCode(
            Status.Code.OUT_OF_RANGE,
            () ->
                driver.create(
                    sized(kind, "small " + name, MIB / 2)
                        .setVolumeContentSource(source)
                        .clearCapacityRange()
                        .setCapacityRange(CapacityRange.newBuilder().setLimitBytes(MIB / 2))));
      }
    }
    assertThat(
            driver
                .client()
                .controller()
                .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                .getEntriesList())
        .hasSize(4)
        .allMatch(entry -> entry.getSnapshot().getSizeBytes() == MIB);
  }

  private static CreateVolumeRequest.Builder sized(String kind, String name, long bytes) {
    return kind.equals("block")
        ? Requests.blockVolume(name, bytes)
        : directory(name).setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes));
  }

  @Test
  @DisplayName("K12 restores across volume modes: between image and block, never a directory")
  void anImageAndABlockVolumeCanBeMadeOfEachOther() throws IOException {
    VolumeCapability ext4 = Requests.fileSystem("ext4", Mode.SINGLE_NODE_MULTI_WRITER);
    String image = driver.create(Requests.image("image", "ext4", 16 * MIB)).getVolumeId();
    Path staging = driver.stage(image, ext4);
    Files.writeString(staging.resolve("file"), "kept");
    String ofImage = driver.snapshot("of image", image);
    driver.unstage(image);
    String block =
        driver
            .create(
                Requests.blockVolume("block", 16 * MIB)
                    .setVolumeContentSource(Requests.fromSnapshot(ofImage)))
            .getVolumeId();
    String ofBlock = driver.snapshot("of block", block);
    String back =
        driver
            .create(
                Requests.image("back", "ext4", 32 * MIB)
                    .setVolumeContentSource(Requests.fromSnapshot(ofBlock)))
            .getVolumeId();
    Path there = driver.stage(back, ext4);
    assertThat(there.resolve("file")).hasContent("kept");
    assertThat(Files.getFileStore(there).getTotalSpace()).isGreaterThan(16 * MIB);

    String blank = driver.create(Requests.blockVolume("blank", 16 * MIB)).getVolumeId();
    String fresh =
        driver
            .create(
                Requests.image("fresh", "ext4", 16 * MIB)
                    .setVolumeContentSource(Requests.fromVolume(blank)))
            .getVolumeId();
    Files.writeString(driver.stage(fresh, ext4).resolve("file"), "made when it is staged");

    String tree = driver.create(directory("tree")).getVolumeId();
    VolumeContentSource ofTree = Requests.fromSnapshot(driver.snapshot("of tree", tree));
    assertCode(
        Status.Code.INVALID_ARGUMENT,
        () -> driver.create(Requests.image("no", "ext4", 16 * MIB).setVolumeContentSource(ofTree)));
    assertCode(
        Status.Code.INVALID_ARGUMENT,
        () -> driver.create(Requests.blockVolume("no", 16 * MIB).setVolumeContentSource(ofTree)));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> restore("no", Requests.fromSnapshot(ofImage)));
  }
}
