package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.Requests;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A caller of a driver that may die: knows everything by name, and remembers what it ever asked to
 * be mounted where, as kubelet does.
 */
final class CrashWorld {
  private static final String NODE = "node-1";

  private final RestartableDriver driver;
  private final Map<String, String> ids = new HashMap<>();
  private final Map<String, VolumeCapability> capabilities = new HashMap<>();
  private final Map<String, String> groups = new HashMap<>();
  private final Map<String, List<String>> members = new HashMap<>();
  private final Map<Path, String> staged = new HashMap<>();
  private final Map<Path, String> published = new HashMap<>();

  CrashWorld(RestartableDriver driver) {
    this.driver = driver;
  }

  RestartableDriver driver() {
    return driver;
  }

  Path root() {
    return driver.root();
  }

  String id(String name) {
    return ids.getOrDefault(name, name);
  }

  /** Creates a volume; a second answer has to name the same. */
  void create(String name, CreateVolumeRequest.Builder request) {
    capabilities.put(name, request.getVolumeCapabilities(0));
    Volume volume =
        driver.client().controller().createVolume(request.setName(name).build()).getVolume();
    ids.put(name, volume.getVolumeId());
  }

  void delete(String name) {
    var request = DeleteVolumeRequest.newBuilder().setVolumeId(id(name)).build();
    driver.client().controller().deleteVolume(request);
  }

  void snapshot(String name, String source) {
    Snapshot snapshot =
        driver
            .client()
            .controller()
            .createSnapshot(Requests.snapshot(name, id(source)).build())
            .getSnapshot();
    assertThat(snapshot.getReadyToUse()).isTrue();
    ids.put(name, snapshot.getSnapshotId());
  }

  void deleteSnapshot(String id) {
    var request = DeleteSnapshotRequest.newBuilder().setSnapshotId(id(id)).build();
    driver.client().controller().deleteSnapshot(request);
  }

  void group(String name, String... sources) {
    var request = CreateVolumeGroupSnapshotRequest.newBuilder().setName(name);
    Arrays.stream(sources).map(this::id).forEach(request::addSourceVolumeIds);
    VolumeGroupSnapshot group =
        groupController().createVolumeGroupSnapshot(request.build()).getGroupSnapshot();
    assertThat(group.getSnapshotsCount()).isEqualTo(sources.length);
    groups.put(name, group.getGroupSnapshotId());
    members.put(name, group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList());
  }

  void deleteGroup(String name) {
    groupController()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(groups.getOrDefault(name, "none"))
                .addAllSnapshotIds(members.getOrDefault(name, List.of()))
                .build());
  }

  private GroupControllerGrpc.GroupControllerBlockingStub groupController() {
    return GroupControllerGrpc.newBlockingStub(driver.client().channel());
  }

  void attach(String name) {
    driver
        .client()
        .controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setNodeId(NODE)
                .setVolumeCapability(capability(name))
                .build());
  }

  void detach(String name) {
    driver
        .client()
        .controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setNodeId(NODE)
                .build());
  }

  void modify(String name, String key, String value) {
    var request = ControllerModifyVolumeRequest.newBuilder().setVolumeId(id(name));
    driver
        .client()
        .controller()
        .controllerModifyVolume(request.putMutableParams(key, value).build());
  }

  void expand(String name, long bytes) {
    driver
        .client()
        .controller()
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build());
  }

  void expandOnNode(String name, long bytes) throws IOException {
    driver
        .client()
        .node()
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setVolumePath(staging(name).toString())
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build());
  }

  private VolumeCapability capability(String name) {
    return capabilities.getOrDefault(name, DriverOnFakes.WRITER);
  }

  Path staging(String name) throws IOException {
    return Files.createDirectories(root().resolve("kubelet/staging").resolve(name));
  }

  Path target(String pod) throws IOException {
    Path plugin = root().resolve("kubelet/pods").resolve(pod).resolve("volumes/kubernetes.io~csi");
    return Files.createDirectories(plugin.resolve("data")).resolve("mount");
  }

  void stage(String name) throws IOException {
    staged.put(staging(name), id(name));
    driver
        .client()
        .node()
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setStagingTargetPath(staging(name).toString())
                .setVolumeCapability(capability(name))
                .build());
  }

  void publish(String name, String pod, boolean readOnly) throws IOException {
    // A publish stages what is not staged any more.
    staged.put(staging(name), id(name));
    published.put(target(pod), id(name));
    driver
        .client()
        .node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id(name))
                .setStagingTargetPath(staging(name).toString())
                .setTargetPath(target(pod).toString())
                .setVolumeCapability(capability(name))
                .setReadonly(readOnly)
                .build());
  }

  void publishInline(String id, String pod) throws IOException {
    publishInline(id, pod, "directory");
  }

  void publishInline(String id, String pod, String backing) throws IOException {
    published.put(target(pod), id);
    driver
        .client()
        .node()
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target(pod).toString())
                .setVolumeCapability(DriverOnFakes.WRITER)
                .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
                .putVolumeContext("backing", backing)
                .putVolumeContext("size", "1Mi")
                .build());
  }

  void unpublish(String name, String pod) throws IOException {
    unpublish(id(name), target(pod));
  }

  private void unpublish(String id, Path target) {
    driver
        .client()
        .node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
  }

  void unstage(String name) throws IOException {
    unstage(id(name), staging(name));
  }

  private void unstage(String id, Path staging) {
    driver
        .client()
        .node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build());
  }

  /** Ends all that was ever asked for, as callers that gave up do, and finds nothing left. */
  void endAll() throws IOException {
    published.forEach((target, id) -> unpublish(id, target));
    staged.forEach((staging, id) -> unstage(id, staging));
    groups.keySet().forEach(this::deleteGroup);
    for (String group : CrashPicture.groups(root())) {
      // Never answered, so nobody but the disk knows the name.
      List<String> snapshots = CrashPicture.membersOf(root(), group);
      groups.put(group, group);
      members.put(group, snapshots);
      deleteGroup(group);
    }
    CrashPicture.listedSnapshots(driver.client()).forEach(this::deleteSnapshot);
    for (String volume : CrashPicture.listedVolumes(driver.client())) {
      detach(volume);
      delete(volume);
    }
    assertNothing();
  }

  private void assertNothing() throws IOException {
    assertThat(MountTable.read().below(root())).as("mounts").isEmpty();
    assertThat(Loops.below(root())).as("loop devices").isEmpty();
    for (String folder :
        List.of(
            "state/volumes",
            "state/snapshots",
            "state/groups",
            "state/pending",
            "run/staged",
            "run/publications")) {
      try (Stream<Path> entries = Files.list(root().resolve(folder))) {
        assertThat(entries).as(folder).isEmpty();
      }
    }
    for (Path target : published.keySet()) {
      assertThat(Files.exists(target, LinkOption.NOFOLLOW_LINKS)).as("%s", target).isFalse();
    }
  }
}
