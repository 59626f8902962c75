package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.hostpath.testing.StillTree;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeUsage;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver over a socket, with real bind mounts. */
class HostpathIT {
  private Path root;
  private ServedDriver driver;
  private Client client;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    driver = ServedDriver.start(directory);
    root = driver.root();
    client = driver.client();
  }

  @AfterEach
  void stop() throws IOException {
    if (driver != null) {
      driver.close();
    }
  }

  private Volume create(CreateVolumeRequest.Builder request) {
    return client.controller().createVolume(request.build()).getVolume();
  }

  private Path folder(String name) throws IOException {
    return Files.createDirectories(root.resolve("kubelet").resolve(name));
  }

  private Path stage(String volumeId) throws IOException {
    Path staging = folder(volumeId + "/globalmount");
    client
        .node()
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER))
                .build());
    return staging;
  }

  private NodePublishVolumeRequest.Builder publication(String volumeId, Path staging, String target)
      throws IOException {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId(volumeId)
        .setStagingTargetPath(staging.toString())
        .setTargetPath(folder("pods").resolve(target).toString())
        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_MULTI_WRITER, "nosuid"));
  }

  private Path publish(NodePublishVolumeRequest.Builder request) {
    client.node().nodePublishVolume(request.build());
    return Path.of(request.getTargetPath());
  }

  private void unpublish(String volumeId, Path target) {
    client
        .node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target.toString())
                .build());
  }

  private void unstage(String volumeId, Path staging) {
    client
        .node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging.toString())
                .build());
  }

  private void delete(String volumeId) {
    client
        .controller()
        .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(volumeId).build());
  }

  private static void assertCode(Status.Code code, Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("expected %s", code).isNotNull();
    assertThat(failure.getStatus().getCode()).as(failure.getMessage()).isEqualTo(code);
  }

  @Test
  void aVolumeGoesThroughItsWholeLife() throws IOException {
    assertThat(
            client
                .node()
                .nodeGetInfo(NodeGetInfoRequest.getDefaultInstance())
                .getAccessibleTopology()
                .getSegmentsMap())
        .isEqualTo(Map.of("topology.hostpath.csi/node", "node-1"));
    assertThat(
            client
                .controller()
                .getCapacity(GetCapacityRequest.getDefaultInstance())
                .getAvailableCapacity())
        .isPositive();

    String id = create(Requests.create("one")).getVolumeId();
    Path staging = stage(id);
    Path a = publish(publication(id, staging, "a"));
    Path b = publish(publication(id, staging, "b"));
    Path readOnly = publish(publication(id, staging, "ro").setReadonly(true));

    Files.writeString(a.resolve("file"), "written through one");
    assertThat(b.resolve("file")).hasContent("written through one");
    assertThat(readOnly.resolve("file")).hasContent("written through one");
    assertThatThrownBy(() -> Files.writeString(readOnly.resolve("file"), "x"))
        .isInstanceOf(IOException.class);
    assertThat(MountTable.read().at(a).orElseThrow().options()).contains("nosuid");
    assertThat(
            client
                .node()
                .nodeGetVolumeStats(
                    NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(id)
                        .setVolumePath(a.toString())
                        .build())
                .getUsageList())
        .extracting(VolumeUsage::getUnit)
        .containsExactly(VolumeUsage.Unit.BYTES, VolumeUsage.Unit.INODES);

    assertCode(Status.Code.FAILED_PRECONDITION, () -> delete(id));
    unpublish(id, a);
    unpublish(id, b);
    unpublish(id, readOnly);
    assertCode(Status.Code.FAILED_PRECONDITION, () -> delete(id));
    unstage(id, staging);
    assertThat(staging).isEmptyDirectory();
    assertThat(MountTable.read().below(root)).isEmpty();
    delete(id);
    assertThat(names("state/volumes")).isEmpty();
  }

  @Test
  void aRestoreAndACloneHoldWhatWasThereWithOwnersModesTimesAndLinks() throws IOException {
    String id = create(Requests.create("source")).getVolumeId();
    Path a = publish(publication(id, stage(id), "a"));
    Path file = Files.writeString(a.resolve("file"), "cut");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x---"));
    Files.setAttribute(file, "unix:uid", 1234);
    Files.setAttribute(file, "unix:gid", 4321);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse("2001-02-03T04:05:06.789012345Z")));
    Files.createLink(a.resolve("hard"), file);
    Files.createSymbolicLink(a.resolve("link"), Path.of("../../../../etc/passwd"));
    String snapshot =
        client
            .controller()
            .createSnapshot(Requests.snapshot("snap", id).build())
            .getSnapshot()
            .getSnapshotId();
    Files.writeString(file, "later");

    Volume restored =
        create(Requests.create("restored").setVolumeContentSource(Requests.fromSnapshot(snapshot)));
    Volume clone = create(Requests.create("clone").setVolumeContentSource(Requests.fromVolume(id)));

    Path copy = publish(publication(restored.getVolumeId(), stage(restored.getVolumeId()), "r"));
    assertThat(copy.resolve("file")).hasContent("cut");
    Map<String, Object> attributes =
        Files.readAttributes(
            copy.resolve("file"), "unix:uid,gid,permissions,lastModifiedTime,nlink");
    assertThat(attributes)
        .containsEntry("uid", 1234)
        .containsEntry("gid", 4321)
        .containsEntry("nlink", 2)
        .containsEntry("permissions", PosixFilePermissions.fromString("rw-r-x---"))
        .containsEntry(
            "lastModifiedTime", FileTime.from(Instant.parse("2001-02-03T04:05:06.789012345Z")));
    assertThat(Files.readSymbolicLink(copy.resolve("link")).toString())
        .isEqualTo("../../../../etc/passwd");
    Path cloned = publish(publication(clone.getVolumeId(), stage(clone.getVolumeId()), "c"));
    assertThat(cloned.resolve("file")).hasContent("later");
    client
        .controller()
        .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build());
    assertThat(copy.resolve("file")).hasContent("cut");
  }

  @Test
  void publishedVolumesOutliveARestartOfTheDriver() throws IOException {
    String id = create(Requests.create("one")).getVolumeId();
    Path staging = stage(id);
    NodePublishVolumeRequest.Builder single =
        publication(id, staging, "a")
            .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_SINGLE_WRITER));
    Path a = publish(single);
    Files.writeString(a.resolve("file"), "kept");

    driver.restart();
    client = driver.client();

    publish(single);
    assertThat(a.resolve("file")).hasContent("kept");
    NodePublishVolumeRequest second = publication(id, staging, "b").build();
    assertCode(Status.Code.FAILED_PRECONDITION, () -> client.node().nodePublishVolume(second));
    unpublish(id, a);
    assertThat(a).doesNotExist();
  }

  @Test
  void aRebootIsRepairedByTheNextPublish() throws IOException {
    String id = create(Requests.create("one")).getVolumeId();
    Path staging = stage(id);
    NodePublishVolumeRequest.Builder request = publication(id, staging, "a");
    Path a = publish(request);
    Files.writeString(a.resolve("file"), "kept");
    driver.reboot();
    client = driver.client();

    publish(request);

    assertThat(a.resolve("file")).hasContent("kept");
    assertThat(staging.resolve("file")).hasContent("kept");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nobody", "../../etc", "/", "/etc/passwd", "a\0b", "ü\u4e00", ".", "vol-", "LONG"})
  void hostileIdsTouchNothing(String value) throws IOException {
    String id = value.equals("LONG") ? "x".repeat(300) : value;
    String kept = create(Requests.create("kept")).getVolumeId();
    Path staging = stage(kept);
    Path empty = folder("empty");
    folder("pods");
    Map<String, String> before = everything();

    var unknown = Stream.of(Status.Code.NOT_FOUND, Status.Code.INVALID_ARGUMENT).toList();
    assertCodeIn(
        unknown,
        () ->
            client
                .controller()
                .controllerGetVolume(
                    ControllerGetVolumeRequest.newBuilder().setVolumeId(id).build()));
    assertCodeIn(
        unknown,
        () ->
            client
                .controller()
                .getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId(id).build()));
    assertCodeIn(
        unknown, () -> client.controller().createSnapshot(Requests.snapshot("snap", id).build()));
    assertCodeIn(
        unknown,
        () -> create(Requests.create("c").setVolumeContentSource(Requests.fromVolume(id))));
    assertCodeIn(
        unknown,
        () ->
            client
                .node()
                .nodeStageVolume(
                    NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setStagingTargetPath(empty.toString())
                        .setVolumeCapability(Requests.mount(Mode.SINGLE_NODE_WRITER))
                        .build()));
    NodePublishVolumeRequest publish = publication(id, staging, "new").build();
    assertCodeIn(unknown, () -> client.node().nodePublishVolume(publish));
    var harmless = Stream.of(Status.Code.OK, Status.Code.INVALID_ARGUMENT).toList();
    assertCodeIn(harmless, () -> delete(id));
    assertCodeIn(
        harmless,
        () ->
            client
                .controller()
                .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build()));
    assertCodeIn(harmless, () -> unstage(id, empty));
    assertCodeIn(harmless, () -> unpublish(id, root.resolve("kubelet/pods/nothing")));
    assertCodeIn(
        Stream.of(Status.Code.FAILED_PRECONDITION, Status.Code.INVALID_ARGUMENT).toList(),
        () -> unstage(id, staging));

    assertThat(everything()).isEqualTo(before);
  }

  private static void assertCodeIn(List<Status.Code> codes, Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    Status.Code code = failure == null ? Status.Code.OK : failure.getStatus().getCode();
    assertThat(code).as(String.valueOf(failure)).isIn(codes);
  }

  /** Every path of the test with its type, and every mount. */
  private Map<String, String> everything() throws IOException {
    Map<String, String> all = new TreeMap<>();
    for (Path path : StillTree.of(root, root.resolve("state/trash"))) {
      all.put(
          path.toString(), Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS) ? "folder" : "file");
    }
    MountTable.read()
        .below(root)
        .forEach(mount -> all.put("mount " + mount.target(), mount.root()));
    return all;
  }

  private List<String> names(String folder) throws IOException {
    try (Stream<Path> entries = Files.list(root.resolve(folder))) {
      return entries.map(entry -> entry.getFileName().toString()).toList();
    }
  }
}
