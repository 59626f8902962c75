package dev.csijava.hostpath;

import static dev.csijava.hostpath.testing.Failures.assertCode;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.copy.DescriptorFileCopier;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * GROUP-CREATE-010: what a group has is of one moment, or the call fails. Directories and raw block
 * volumes can't be held still, so they must have stood still by themselves.
 */
@DisplayName("GROUP-CREATE-010 a group of directories and raw block volumes")
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class GroupCutIT {
  private static final long MIB = 1L << 20;

  @TempDir Path directory;

  private CutMachine machine;
  private ServedDriver driver;
  private final List<String> ids = new ArrayList<>();
  private final List<Path> targets = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    assumeTrue(ServedDriver.canMount(), "mounts and loop devices need root");
    assumeTrue(Programs.missing("losetup").isEmpty(), "losetup is needed");
    machine = new CutMachine(new DescriptorFileCopier());
    driver = ServedDriver.start(directory, settings -> settings, machine::open);
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private static VolumeCapability capability(boolean device) {
    return device
        ? Requests.block(Mode.SINGLE_NODE_MULTI_WRITER)
        : Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER);
  }

  private String make(boolean device) {
    String name = "volume " + ids.size();
    ids.add(
        driver
            .create(
                device
                    ? Requests.blockVolume(name, 8 * MIB)
                    : Requests.create(name)
                        .clearVolumeCapabilities()
                        .addVolumeCapabilities(capability(false)))
            .getVolumeId());
    return ids.getLast();
  }

  /** Two volumes that pods have, and where these write. */
  private void makePublished(boolean device) throws IOException {
    for (int i = 0; i < 2; i++) {
      String id = make(device);
      driver.stage(id, capability(device));
      Path target = driver.publish(id, "pod" + i, capability(device), false);
      targets.add(device ? target : target.resolve("file"));
      write(i, "before");
    }
  }

  private void write(int volume, String text) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            targets.get(volume), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      int _ = channel.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      if (!Files.isRegularFile(targets.get(volume))) {
        channel.force(true);
      }
    }
  }

  private VolumeGroupSnapshot cut() {
    return cut("group");
  }

  private VolumeGroupSnapshot cut(String name) {
    return GroupControllerGrpc.newBlockingStub(driver.client().channel())
        .createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest.newBuilder()
                .setName(name)
                .addAllSourceVolumeIds(ids)
                .build())
        .getGroupSnapshot();
  }

  private String content(VolumeGroupSnapshot group, int volume) throws IOException {
    String id =
        group.getSnapshotsList().stream()
            .filter(snapshot -> snapshot.getSourceVolumeId().equals(ids.get(volume)))
            .map(Snapshot::getSnapshotId)
            .findFirst()
            .orElseThrow();
    Path data = driver.root().resolve("state/snapshots").resolve(id).resolve("data");
    Path file = Files.isDirectory(data) ? data.resolve("file") : data;
    try (var input = Files.newInputStream(file)) {
      return new String(input.readNBytes(6), StandardCharsets.UTF_8);
    }
  }

  /** Fails, and nothing is left of it. */
  private void assertRefused() throws IOException {
    assertCode(
        Status.Code.FAILED_PRECONDITION,
        () -> {
          var _ = cut();
        });
    assertThat(
            driver
                .client()
                .controller()
                .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                .getEntriesList())
        .isEmpty();
    for (String folder : List.of("snapshots", "groups", "pending")) {
      assertThat(driver.root().resolve("state").resolve(folder)).isEmptyDirectory();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isCutWhereNobodyWritesMeanwhile(boolean device) throws IOException {
    makePublished(device);
    AtomicInteger cuts = new AtomicInteger();
    machine.atCut(from -> cuts.incrementAndGet());

    VolumeGroupSnapshot group = cut();

    assertThat(content(group, 0)).isEqualTo("before");
    assertThat(content(group, 1)).isEqualTo("before");
    assertThat(cuts).hasValue(2);
    // Nothing of the cut holds them any more.
    driver.unpublish(ids.getFirst(), "pod0");
    driver.unstage(ids.getFirst());
    driver.stage(ids.getFirst(), capability(device));
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isRefusedWhereSomebodyAlwaysWrites(boolean device) throws IOException {
    makePublished(device);
    AtomicInteger cuts = new AtomicInteger();
    // The first one is written to when it has been cut, so the second one has what came later.
    machine.atCut(
        from -> {
          if (cuts.incrementAndGet() % 2 == 0) {
            write(0, "during");
          }
        });

    assertRefused();

    assertThat(cuts).as("it is tried several times").hasValue(6);
    machine.atCut(CutMachine.GOING_ON);
    assertThat(content(cut(), 0)).isEqualTo("during");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isCutAgainWhereSomebodyWroteOnce(boolean device) throws IOException {
    makePublished(device);
    AtomicInteger cuts = new AtomicInteger();
    machine.atCut(
        from -> {
          if (cuts.incrementAndGet() == 2) {
            write(0, "during");
          }
        });

    VolumeGroupSnapshot group = cut();

    assertThat(cuts).hasValue(4);
    assertThat(content(group, 0)).isEqualTo("during");
    assertThat(content(group, 1)).isEqualTo("before");
  }

  @Test
  void isRefusedWhereSomebodyWritesThroughMappedMemory() throws IOException {
    makePublished(false);
    try (FileChannel channel =
            FileChannel.open(targets.get(0), StandardOpenOption.READ, StandardOpenOption.WRITE);
        Arena arena = Arena.ofShared()) {
      MemorySegment memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, 6, arena);
      // Its page is dirty from here on, so writing to it once more changes no time by itself.
      memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
      AtomicInteger cuts = new AtomicInteger();
      List<Integer> flushes = new ArrayList<>();
      machine.atCut(
          from -> {
            flushes.add(machine.flushes());
            memory.set(ValueLayout.JAVA_BYTE, 0, (byte) ('b' + cuts.getAndIncrement()));
          });
      assertRefused();
      // So the page is clean before the first cut of each try.
      assertThat(flushes).containsExactly(1, 1, 2, 2, 3, 3);
    }
  }

  /** What the device still has in memory is no change that somebody made between the cuts. */
  @Test
  void isCutAtOnceWhereADeviceWasWrittenToBefore() throws IOException {
    makePublished(true);
    for (Path target : targets) {
      try (FileChannel channel = FileChannel.open(target, StandardOpenOption.WRITE)) {
        int _ = channel.write(ByteBuffer.wrap("at ...".getBytes(StandardCharsets.UTF_8)));
        AtomicInteger cuts = new AtomicInteger();
        machine.atCut(from -> cuts.incrementAndGet());

        VolumeGroupSnapshot group = cut("group " + targets.indexOf(target));

        assertThat(cuts).hasValue(2);
        assertThat(content(group, targets.indexOf(target))).isEqualTo("at ...");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void isNotStagedBetweenItsCutsWhereNobodyHasIt(boolean device) throws IOException {
    make(device);
    make(device);
    List<String> staged = new ArrayList<>();
    machine.atCut(
        from -> {
          if (staged.isEmpty()) {
            String id = ids.getLast();
            assertCode(Status.Code.ABORTED, () -> driver.stage(id, capability(device)));
            staged.add(id);
          }
        });

    assertThat(cut().getSnapshotsCount()).isEqualTo(2);

    assertThat(staged).hasSize(1);
    for (String id : ids) {
      driver.stage(id, capability(device));
      driver.unstage(id);
    }
  }
}
