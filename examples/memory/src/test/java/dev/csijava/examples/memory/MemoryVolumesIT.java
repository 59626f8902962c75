package dev.csijava.examples.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the driver promises: memory with a limit, and the group that owns it. */
class MemoryVolumesIT {
  private static final int MIB = 1 << 20;
  private static final int GROUP = 2345;

  @TempDir Path directory = Path.of("set by JUnit");
  private final Mounter mounter = Mounter.system();
  private Path root = directory;
  private Path staging = directory;
  private Path target = directory;

  @BeforeEach
  void makePlaces() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    root = directory.toRealPath();
    staging = Files.createDirectory(root.resolve("globalmount"));
    target = root.resolve("mount");
  }

  @AfterEach
  void unmount() throws IOException {
    for (Mount left : MountTable.read().below(root)) {
      mounter.unmount(left.target());
    }
  }

  @Test
  void aVolumeTakesAsMuchAsItsSizeAndNotMore() throws IOException {
    String id = create(2 * MIB);
    stage(id, "");
    publish(id);

    long written = fill(target.resolve("file"));

    assertThat(written).isBetween(2L * MIB - 65536, 2L * MIB);
    assertThat(
            node()
                .nodeGetVolumeStats(
                    NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(target.toString())
                        .build(),
                    Call.NONE)
                .getUsage(0)
                .getTotal())
        .isEqualTo(2L * MIB);
  }

  @Test
  void emptyFilesAreLimitedToo() throws IOException {
    String id = create(MIB);
    stage(id, "");

    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 1000; i++) {
                Files.createFile(staging.resolve("file" + i));
              }
            })
        .hasMessageContaining("No space left on device");
  }

  @Test
  void aVolumeGrowsUnderItsUsersAndAReaderStaysAReader() throws IOException {
    String id = create(MIB);
    stage(id, "");
    publish(id, true);
    Files.writeString(staging.resolve("kept"), "kept");
    CapacityRange larger = CapacityRange.newBuilder().setRequiredBytes(3 * MIB).build();

    controller()
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setCapacityRange(larger)
                .build(),
            Call.NONE);
    node()
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setVolumePath(target.toString())
                .setCapacityRange(larger)
                .build(),
            Call.NONE);

    assertThat(fill(staging.resolve("file"))).isGreaterThan(2L * MIB);
    assertThat(target.resolve("kept")).hasContent("kept");
    assertThatThrownBy(() -> Files.createFile(target.resolve("new")))
        .hasMessageContaining("Read-only file system");
  }

  @Test
  void theMountGroupOwnsTheFilesAndItsMembersCanWrite() throws Exception {
    String id = create(MIB);
    stage(id, Integer.toString(GROUP));
    publish(id);

    assertThat(touch("by-member", GROUP)).isZero();
    assertThat(touch("by-stranger", GROUP + 1)).isNotZero();
    assertThat(Files.getAttribute(target.resolve("by-member"), "unix:gid")).isEqualTo(GROUP);
    assertThat(Files.createFile(target.resolve("by-root")))
        .satisfies(file -> assertThat(Files.getAttribute(file, "unix:gid")).isEqualTo(GROUP));
    assertThatThrownBy(() -> stage(id, "77"))
        .isInstanceOf(CsiException.class)
        .hasMessageContaining("another volume_mount_group");
  }

  @Test
  void theMemoryIsGivenBackWhenThePodsAreGone() throws IOException {
    String id = create(MIB);
    stage(id, "");
    publish(id);
    assertThatThrownBy(() -> delete(id)).hasMessageContaining("in use");
    assertThatThrownBy(() -> unstage(id)).hasMessageContaining("is published at");

    unpublish(id);
    unstage(id);
    delete(id);

    assertThat(target).doesNotExist();
    assertThat(MountTable.read().below(root)).isEmpty();
    assertThat(root.resolve("state")).isEmptyDirectory();
    assertThat(root.resolve("run")).isEmptyDirectory();
  }

  @Test
  void afterARebootAVolumeIsPublishedEmpty() throws IOException {
    String id = create(MIB);
    stage(id, "");
    Files.writeString(staging.resolve("lost"), "lost");
    mounter.unmount(staging);
    Files.delete(root.resolve("run").resolve(id)); // as the host's /run is emptied

    publish(id);

    assertThat(target).isEmptyDirectory();
    assertThat(Files.getFileStore(target).getTotalSpace()).isEqualTo(MIB);
  }

  @Test
  void dataThatWasLostWithoutARebootIsNotPassedOverInSilence() throws IOException {
    String id = create(MIB);
    stage(id, "");
    mounter.unmount(staging);

    assertThatThrownBy(() -> publish(id)).hasMessageContaining("its data is gone");

    assertThat(target).doesNotExist();
  }

  /** A new one each time, as after a restart: nothing depends on what a process remembers. */
  private MemoryController controller() throws IOException {
    return new MemoryController(store(), planner(), new Placement("example.com/node", "node-1"));
  }

  private MemoryNode node() throws IOException {
    return new MemoryNode(store(), planner(), StagedMarks.in(root.resolve("run")), mounter);
  }

  private VolumeStore store() throws IOException {
    return VolumeStore.open(root.resolve("state"));
  }

  private static CapacityPlanner planner() {
    return CapacityPlanner.builder().granularity(MIB).build();
  }

  private String create(long bytes) throws IOException {
    return controller()
        .createVolume(
            CreateVolumeRequest.newBuilder()
                .setName("one")
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .addVolumeCapabilities(capability(""))
                .build(),
            Call.NONE)
        .getVolume()
        .getVolumeId();
  }

  private void delete(String id) throws IOException {
    controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build(), Call.NONE);
  }

  private void stage(String id, String group) throws IOException {
    node()
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(capability(group))
                .build(),
            Call.NONE);
  }

  private void unstage(String id) throws IOException {
    node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build(),
            Call.NONE);
  }

  private void publish(String id) throws IOException {
    publish(id, false);
  }

  private void publish(String id, boolean readOnly) throws IOException {
    node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability(""))
                .setReadonly(readOnly)
                .build(),
            Call.NONE);
  }

  private void unpublish(String id) throws IOException {
    node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build(),
            Call.NONE);
  }

  private static VolumeCapability capability(String group) {
    return VolumeCapability.newBuilder()
        .setMount(MountVolume.newBuilder().setVolumeMountGroup(group))
        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_WRITER))
        .build();
  }

  /** Writes until it is refused; how much was taken. */
  private static long fill(Path file) throws IOException {
    byte[] piece = new byte[65536];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (int i = 0; i < 1000; i++) {
        out.write(piece);
      }
    } catch (IOException e) {
      assertThat(e).hasMessageContaining("No space left on device");
    }
    return Files.size(file);
  }

  /** Makes a file in the volume as a user who is only in this group; its exit code. */
  private int touch(String name, int group) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                List.of(
                    "setpriv",
                    "--reuid=65534",
                    "--regid=65534",
                    "--groups=" + group,
                    "touch",
                    name))
            .directory(target.toFile())
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
