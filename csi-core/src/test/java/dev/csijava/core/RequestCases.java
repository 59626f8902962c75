package dev.csijava.core;

import static dev.csijava.core.RequestCase.bad;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeContentSource;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Every rule of requests, broken once. */
final class RequestCases {
  private static final CapabilityView NO_CONTROLLER_MODES =
      Capabilities.without(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
  private static final CapabilityView NO_NODE_MODES =
      Capabilities.without(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
  private static final CapabilityView NO_GROUP =
      Capabilities.without(NodeServiceCapability.RPC.Type.VOLUME_MOUNT_GROUP);
  private static final CapabilityView NO_TOPOLOGY =
      Capabilities.without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
  private static final CapabilityView NO_MODIFY =
      Capabilities.without(ControllerServiceCapability.RPC.Type.MODIFY_VOLUME);
  private static final String LONG_PATH = "/" + "p".repeat(4095);

  private RequestCases() {}

  static List<RequestCase> all() {
    List<RequestCase> cases = new ArrayList<>();
    cases.addAll(missing());
    cases.addAll(nested());
    cases.addAll(values());
    cases.addAll(sizes());
    cases.addAll(paths());
    cases.addAll(topologies());
    cases.addAll(capabilities());
    return cases;
  }

  private static List<RequestCase> missing() {
    String one = " GEN-FIELD-001";
    String list = " GEN-FIELD-002";
    return List.of(
        bad("CTRL-CREATE-002" + one, ValidRequests.create().clearName(), "name"),
        bad(
            "CTRL-CREATE-003" + list,
            ValidRequests.create().clearVolumeCapabilities(),
            "volume_capabilities"),
        bad("CTRL-DELETE-002" + one, DeleteVolumeRequest.newBuilder(), "volume_id"),
        bad("CTRL-PUB-002" + one, ValidRequests.attach().clearVolumeId(), "volume_id"),
        bad("CTRL-PUB-003" + one, ValidRequests.attach().clearNodeId(), "node_id"),
        bad(
            "CTRL-PUB-004" + one,
            ValidRequests.attach().clearVolumeCapability(),
            "volume_capability"),
        bad("CTRL-UNPUB-002" + one, ControllerUnpublishVolumeRequest.newBuilder(), "volume_id"),
        bad("CTRL-VALIDATE-002" + one, ValidRequests.validate().clearVolumeId(), "volume_id"),
        bad(
            "CTRL-VALIDATE-003" + list,
            ValidRequests.validate().clearVolumeCapabilities(),
            "volume_capabilities"),
        bad("CTRL-GETVOL-002" + one, ControllerGetVolumeRequest.newBuilder(), "volume_id"),
        bad("V113-CHEALTH-001" + one, ControllerGetVolumeHealthRequest.newBuilder(), "volume_id"),
        bad("CTRL-MODIFY-002" + one, ValidRequests.modify().clearVolumeId(), "volume_id"),
        bad(
            "CTRL-MODIFY-003" + list,
            ValidRequests.modify().clearMutableParams(),
            "mutable_parameters"),
        bad("CTRL-EXPAND-002" + one, ValidRequests.expand().clearVolumeId(), "volume_id"),
        bad("CTRL-EXPAND-003" + one, ValidRequests.expand().clearCapacityRange(), "capacity_range"),
        bad("CTRL-SNAP-002" + one, ValidRequests.snapshot().clearName(), "name"),
        bad(
            "CTRL-SNAP-003" + one,
            ValidRequests.snapshot().clearSourceVolumeId(),
            "source_volume_id"),
        bad("CTRL-DELSNAP-002" + one, DeleteSnapshotRequest.newBuilder(), "snapshot_id"),
        bad("CTRL-GETSNAP-002" + one, GetSnapshotRequest.newBuilder(), "snapshot_id"),
        bad("NODE-STAGE-002" + one, ValidRequests.stage().clearVolumeId(), "volume_id"),
        bad(
            "NODE-STAGE-003" + one,
            ValidRequests.stage().clearStagingTargetPath(),
            "staging_target_path"),
        bad(
            "NODE-STAGE-004" + one,
            ValidRequests.stage().clearVolumeCapability(),
            "volume_capability"),
        bad("NODE-UNSTAGE-002" + one, ValidRequests.unstage().clearVolumeId(), "volume_id"),
        bad(
            "NODE-UNSTAGE-003" + one,
            ValidRequests.unstage().clearStagingTargetPath(),
            "staging_target_path"),
        bad("NODE-PUB-002" + one, ValidRequests.publish().clearVolumeId(), "volume_id"),
        bad("NODE-PUB-003" + one, ValidRequests.publish().clearTargetPath(), "target_path"),
        bad(
            "NODE-PUB-004" + one,
            ValidRequests.publish().clearVolumeCapability().clearStagingTargetPath(),
            "volume_capability"),
        bad("NODE-PUB-006", ValidRequests.publish().clearStagingTargetPath(), "staging_target_path")
            .with(Status.Code.FAILED_PRECONDITION),
        bad("NODE-UNPUB-002" + one, ValidRequests.unpublish().clearVolumeId(), "volume_id"),
        bad("NODE-UNPUB-003" + one, ValidRequests.unpublish().clearTargetPath(), "target_path"),
        bad("NODE-STATS-002" + one, ValidRequests.stats().clearVolumeId(), "volume_id"),
        bad("NODE-STATS-003" + one, ValidRequests.stats().clearVolumePath(), "volume_path"),
        bad("V113-NHEALTH-001" + one, ValidRequests.nodeHealth().clearVolumeId(), "volume_id"),
        bad(
            "V113-NHEALTH-001" + one,
            ValidRequests.nodeHealth().clearVolumePublishPath(),
            "volume_publish_path"),
        bad("NODE-EXPAND-002" + one, ValidRequests.nodeExpand().clearVolumeId(), "volume_id"),
        bad("NODE-EXPAND-003" + one, ValidRequests.nodeExpand().clearVolumePath(), "volume_path"),
        bad("GROUP-CREATE-002" + one, ValidRequests.group().clearName(), "name"),
        bad(
            "GROUP-CREATE-003" + list,
            ValidRequests.group().clearSourceVolumeIds(),
            "source_volume_ids"),
        bad(
            "GROUP-DELETE-002" + one,
            DeleteVolumeGroupSnapshotRequest.newBuilder(),
            "group_snapshot_id"),
        bad("GROUP-GET-002" + one, GetVolumeGroupSnapshotRequest.newBuilder(), "group_snapshot_id"),
        bad("SMETA-ALLOC-001" + one, ValidRequests.allocated().clearSnapshotId(), "snapshot_id"),
        bad(
            "SMETA-DELTA-001" + one,
            ValidRequests.delta().clearBaseSnapshotId(),
            "base_snapshot_id"),
        bad(
            "SMETA-DELTA-001" + one,
            ValidRequests.delta().clearTargetSnapshotId(),
            "target_snapshot_id"));
  }

  private static List<RequestCase> nested() {
    VolumeCapability noMode = ValidRequests.mount().toBuilder().clearAccessMode().build();
    VolumeCapability noType = ValidRequests.mount().toBuilder().clearMount().build();
    VolumeContentSource snapshot =
        VolumeContentSource.newBuilder()
            .setSnapshot(VolumeContentSource.SnapshotSource.getDefaultInstance())
            .build();
    VolumeContentSource volume =
        VolumeContentSource.newBuilder()
            .setVolume(VolumeContentSource.VolumeSource.getDefaultInstance())
            .build();
    return List.of(
        bad(
            "GEN-VCAP-001",
            ValidRequests.create().addVolumeCapabilities(noType),
            "volume_capabilities[1].access_type"),
        bad(
            "GEN-VCAP-001",
            ValidRequests.publish().setVolumeCapability(noType),
            "volume_capability.access_type"),
        bad(
            "GEN-VCAP-001",
            GetCapacityRequest.newBuilder().addVolumeCapabilities(noType),
            "volume_capabilities[0].access_type"),
        bad(
            "GEN-VCAP-002 GEN-FIELD-001",
            ValidRequests.create().setVolumeCapabilities(0, noMode),
            "volume_capabilities[0].access_mode"),
        bad(
            "GEN-VCAP-002",
            ValidRequests.nodeExpand().setVolumeCapability(noMode),
            "volume_capability.access_mode"),
        bad(
            "GEN-VCAP-003",
            ValidRequests.stage().setVolumeCapability(mode(0)),
            "volume_capability.access_mode.mode"),
        bad(
            "GEN-VCAP-003",
            ValidRequests.validate().addVolumeCapabilities(mode(99)),
            "volume_capabilities[1].access_mode.mode"),
        bad(
            "GEN-VCAP-003",
            GetCapacityRequest.newBuilder().addVolumeCapabilities(mode(99)),
            "volume_capabilities[0].access_mode.mode"),
        bad(
            "CTRL-CREATE-036",
            ValidRequests.create().setVolumeContentSource(VolumeContentSource.getDefaultInstance()),
            "volume_content_source.type"),
        bad(
            "CTRL-CREATE-037 GEN-FIELD-001",
            ValidRequests.create().setVolumeContentSource(snapshot),
            "volume_content_source.snapshot.snapshot_id"),
        bad(
            "CTRL-CREATE-037",
            ValidRequests.create().setVolumeContentSource(volume),
            "volume_content_source.volume.volume_id"),
        bad("GEN-FIELD-003", ValidRequests.group().addSourceVolumeIds(""), "source_volume_ids[1]"),
        bad(
            "GEN-FIELD-003",
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId("g")
                .addSnapshotIds(""),
            "snapshot_ids[0]"),
        bad(
            "GEN-FIELD-003",
            GetVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").addSnapshotIds(""),
            "snapshot_ids[0]"));
  }

  private static List<RequestCase> values() {
    return List.of(
        bad("CTRL-CREATE-014 GEN-FIELD-003", ValidRequests.create().setName("a\0"), "name"),
        bad("CTRL-CREATE-014", ValidRequests.create().setName("a\u000bb"), "name"),
        bad("CTRL-CREATE-014", ValidRequests.create().setName("\u001f"), "name"),
        bad("CTRL-SNAP-011", ValidRequests.snapshot().setName("a\u007f"), "name"),
        bad("GROUP-CREATE-022", ValidRequests.group().setName("\u009fa"), "name"),
        bad(
            "GEN-RANGE-001",
            ValidRequests.create().setCapacityRange(CapacityRange.getDefaultInstance()),
            "capacity_range"),
        bad(
            "GEN-RANGE-002",
            ValidRequests.create().setCapacityRange(ValidRequests.range(-1, 0)),
            "capacity_range.required_bytes"),
        bad(
            "GEN-RANGE-002",
            ValidRequests.expand().setCapacityRange(ValidRequests.range(0, -1)),
            "capacity_range.limit_bytes"),
        bad(
            "GEN-RANGE-005",
            ValidRequests.nodeExpand().setCapacityRange(ValidRequests.range(1L << 62, 1)),
            "capacity_range"),
        bad("CTRL-LISTVOL-006", ListVolumesRequest.newBuilder().setMaxEntries(-1), "max_entries"),
        bad(
            "CTRL-LISTSNAP-007",
            ListSnapshotsRequest.newBuilder().setMaxEntries(Integer.MIN_VALUE),
            "max_entries"),
        bad(
            "GEN-FIELD-003",
            ControllerListVolumeHealthRequest.newBuilder().setMaxEntries(-1),
            "max_entries"),
        bad("SMETA-ALLOC-002", ValidRequests.allocated().setMaxResults(-1), "max_results"),
        bad("SMETA-DELTA-003", ValidRequests.delta().setMaxResults(-1), "max_results"),
        bad("SMETA-ALLOC-004", ValidRequests.allocated().setStartingOffset(-1), "starting_offset")
            .with(Status.Code.OUT_OF_RANGE),
        bad("SMETA-DELTA-006", ValidRequests.delta().setStartingOffset(-1), "starting_offset")
            .with(Status.Code.OUT_OF_RANGE),
        bad(
            "SMETA-DELTA-003",
            ValidRequests.delta().setStartingOffset(-1).setMaxResults(-1),
            "max_results"),
        bad("GEN-SEC-001", ValidRequests.create().putSecrets("pass word", "canary"), "secrets"),
        bad("GEN-SEC-001", ValidRequests.stage().putSecrets("a/b", "canary"), "secrets"),
        bad("GEN-SEC-001", ValidRequests.delta().putSecrets("", "canary"), "secrets"));
  }

  private static List<RequestCase> sizes() {
    String limit = "GEN-SIZE-005";
    String long129 = "x".repeat(129);
    return List.of(
        bad(limit, ValidRequests.create().setName("\u20ac".repeat(43)), "name"),
        bad(limit, ValidRequests.unpublish().setVolumeId("v".repeat(300)), "volume_id"),
        bad(limit, ValidRequests.group().addSourceVolumeIds(long129), "source_volume_ids[1]"),
        bad(limit, ValidRequests.attach().setNodeId("n".repeat(257)), "node_id"),
        bad(
            limit,
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId("v")
                .setNodeId("n".repeat(257)),
            "node_id"),
        bad(limit, ListVolumesRequest.newBuilder().setStartingToken(long129), "starting_token"),
        bad(limit, ValidRequests.create().putParameters("k", "v".repeat(4096)), "parameters"),
        bad(
            limit,
            ValidRequests.modify().putMutableParams("k", "v".repeat(4096)),
            "mutable_parameters"),
        bad(
            limit,
            ValidRequests.publish().putVolumeContext("k", "v".repeat(4096)),
            "volume_context"),
        bad(limit, ValidRequests.create().putSecrets("k", "v".repeat(1 << 20)), "secrets"),
        bad(
            limit,
            ValidRequests.stage()
                .setVolumeCapability(
                    ValidRequests.mount().toBuilder()
                        .setMount(VolumeCapability.MountVolume.newBuilder().setFsType(long129))),
            "volume_capability.mount.fs_type"),
        bad(
            "GEN-SIZE-006",
            ValidRequests.stage()
                .setVolumeCapability(
                    ValidRequests.mount().toBuilder()
                        .setMount(
                            VolumeCapability.MountVolume.newBuilder()
                                .addMountFlags("f".repeat(2048))
                                .addMountFlags("f".repeat(2049)))),
            "volume_capability.mount.mount_flags"));
  }

  private static List<RequestCase> paths() {
    String normal = "GEN-FIELD-003";
    return List.of(
        bad(
            "NODE-STAGE-009",
            ValidRequests.stage().setStagingTargetPath("a/b"),
            "staging_target_path"),
        bad(
            "NODE-UNSTAGE-007",
            ValidRequests.unstage().setStagingTargetPath("a"),
            "staging_target_path"),
        bad("NODE-PUB-031", ValidRequests.publish().setTargetPath("a"), "target_path"),
        bad(
            "NODE-PUB-031",
            ValidRequests.publish().setStagingTargetPath("a"),
            "staging_target_path"),
        bad("NODE-UNPUB-009", ValidRequests.unpublish().setTargetPath("a"), "target_path"),
        bad("NODE-STATS-013", ValidRequests.stats().setVolumePath("some/path"), "volume_path")
            .with(Status.Code.NOT_FOUND),
        bad(
            "NODE-STATS-013",
            ValidRequests.stats().setVolumePath("some/path").setStagingTargetPath("a"),
            "staging_target_path"),
        bad("NODE-EXPAND-009", ValidRequests.nodeExpand().setVolumePath("some/path"), "volume_path")
            .with(Status.Code.NOT_FOUND),
        bad(
            "NODE-EXPAND-017",
            ValidRequests.nodeExpand().setStagingTargetPath("a"),
            "staging_target_path"),
        bad(normal, ValidRequests.nodeHealth().setVolumePublishPath("a"), "volume_publish_path"),
        bad(normal, ValidRequests.nodeHealth().setStagingTargetPath("a"), "staging_target_path"),
        bad(normal, ValidRequests.stage().setStagingTargetPath("/a/../b"), "staging_target_path"),
        bad(normal, ValidRequests.unstage().setStagingTargetPath("/a/."), "staging_target_path"),
        bad(normal, ValidRequests.publish().setTargetPath("/a/b/.."), "target_path"),
        bad(normal, ValidRequests.publish().setStagingTargetPath("/./a"), "staging_target_path"),
        bad(normal, ValidRequests.unpublish().setTargetPath("/a\0b"), "target_path"),
        bad(normal, ValidRequests.unpublish().setTargetPath("//"), "target_path"),
        bad(normal, ValidRequests.stats().setVolumePath(LONG_PATH), "volume_path"),
        bad(normal, ValidRequests.stats().setStagingTargetPath("/.."), "staging_target_path"),
        bad(normal, ValidRequests.nodeHealth().setVolumePublishPath("/"), "volume_publish_path"),
        bad(normal, ValidRequests.nodeHealth().setStagingTargetPath("/"), "staging_target_path"),
        bad(normal, ValidRequests.nodeExpand().setVolumePath("../.."), "volume_path"),
        bad(normal, ValidRequests.nodeExpand().setStagingTargetPath("/"), "staging_target_path"));
  }

  private static List<RequestCase> topologies() {
    String field = "accessibility_requirements";
    Topology stranger = ValidRequests.topology("n9");
    return List.of(
        bad("CTRL-CREATE-040", required(TopologyRequirement.newBuilder()), field),
        bad(
            "CTRL-CREATE-040",
            ValidRequests.snapshot()
                .setAccessibilityRequirements(TopologyRequirement.getDefaultInstance()),
            field),
        bad(
            "CTRL-CREATE-047",
            required(ValidRequests.topologies().toBuilder().addPreferred(stranger)),
            field + ".preferred[1]"),
        bad(
            "GEN-TOPO-008 GEN-FIELD-002",
            required(TopologyRequirement.newBuilder().addRequisite(Topology.getDefaultInstance())),
            field + ".requisite[0].segments"),
        malformed("GEN-TOPO-008", "", "v"),
        malformed("GEN-TOPO-008", "a/", "v"),
        malformed("GEN-TOPO-008", "/a", "v"),
        malformed("GEN-TOPO-008", "-a", "v"),
        malformed("GEN-TOPO-008", "a".repeat(64), "v"),
        malformed("GEN-TOPO-008", "Upper.case/a", "v"),
        malformed("GEN-TOPO-008", "p".repeat(64) + "/a", "v"),
        malformed("GEN-TOPO-008", "a/b/c", "v"),
        malformed("GEN-TOPO-008", "a", ""),
        malformed("GEN-TOPO-008", "a", "v/w"),
        malformed("GEN-TOPO-008", "a", "v".repeat(64)),
        malformed("GEN-TOPO-008", "a", "v_"),
        bad(
            "GEN-TOPO-006 GEN-TOPO-008",
            required(
                TopologyRequirement.newBuilder()
                    .addPreferred(
                        Topology.newBuilder().putSegments("a", "v").putSegments("A", "v"))),
            field + ".preferred[0].segments"),
        bad(
            "GEN-TOPO-008",
            GetCapacityRequest.newBuilder()
                .setAccessibleTopology(Topology.newBuilder().putSegments("a b", "v")),
            "accessible_topology.segments"));
  }

  private static List<RequestCase> capabilities() {
    VolumeContentSource snapshot =
        VolumeContentSource.newBuilder()
            .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("s"))
            .build();
    VolumeContentSource volume =
        VolumeContentSource.newBuilder()
            .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId("v"))
            .build();
    List<RequestCase> cases = new ArrayList<>();
    cases.addAll(
        Arrays.asList(
            bad(
                    "CTRL-CREATE-029",
                    ValidRequests.create().putMutableParams("a", "b"),
                    "mutable_parameters")
                .with(NO_MODIFY),
            bad(
                    "GEN-FIELD-003",
                    ValidRequests.validate().putMutableParams("a", "b"),
                    "mutable_parameters")
                .with(NO_MODIFY),
            bad(
                    "CTRL-CREATE-039",
                    required(ValidRequests.topologies().toBuilder()),
                    "accessibility_requirements")
                .with(NO_TOPOLOGY),
            bad(
                    "CTRL-CAPACITY-006",
                    GetCapacityRequest.newBuilder()
                        .setAccessibleTopology(ValidRequests.topology("n")),
                    "accessible_topology")
                .with(NO_TOPOLOGY),
            bad(
                    "GEN-FIELD-003",
                    ValidRequests.snapshot()
                        .setAccessibilityRequirements(ValidRequests.topologies()),
                    "accessibility_requirements")
                .with(
                    Capabilities.without(
                        PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)),
            bad(
                    "CTRL-CREATE-032",
                    ValidRequests.create().setVolumeContentSource(volume),
                    "volume_content_source")
                .with(Capabilities.without(ControllerServiceCapability.RPC.Type.CLONE_VOLUME)),
            bad(
                    "CTRL-CREATE-032",
                    ValidRequests.create().setVolumeContentSource(snapshot),
                    "volume_content_source")
                .with(
                    Capabilities.without(
                        ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT)),
            bad("CTRL-PUB-016", ValidRequests.attach().setReadonly(true), "readonly")
                .with(Capabilities.without(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)),
            bad(
                    "GEN-FIELD-003",
                    ValidRequests.stage().setVolumeCapability(ValidRequests.richMount()),
                    "volume_capability.mount.volume_mount_group")
                .with(NO_GROUP),
            bad(
                    "GEN-FIELD-003",
                    ValidRequests.publish().setVolumeCapability(ValidRequests.richMount()),
                    "volume_capability.mount.volume_mount_group")
                .with(NO_GROUP)));
    VolumeCapability block = ValidRequests.block();
    cases.addAll(
        List.of(
            bad(
                    "CTRL-CREATE-024",
                    ValidRequests.create().addVolumeCapabilities(block),
                    "volume_capabilities[1]")
                .with(NO_CONTROLLER_MODES),
            bad(
                    "CTRL-PUB-014",
                    ValidRequests.attach().setVolumeCapability(mode(7)),
                    "volume_capability")
                .with(NO_CONTROLLER_MODES),
            bad(
                    "CTRL-EXPAND-006",
                    ValidRequests.expand().setVolumeCapability(block),
                    "volume_capability")
                .with(NO_CONTROLLER_MODES),
            bad(
                    "NODE-EXPAND-005",
                    ValidRequests.nodeExpand().setVolumeCapability(block),
                    "volume_capability")
                .with(NO_NODE_MODES),
            bad(
                    "NODE-STAGE-008",
                    ValidRequests.stage().setVolumeCapability(block),
                    "volume_capability")
                .with(NO_NODE_MODES)
                .with(Status.Code.FAILED_PRECONDITION),
            bad(
                    "NODE-PUB-008",
                    ValidRequests.publish().setVolumeCapability(mode(7)),
                    "volume_capability")
                .with(NO_NODE_MODES)
                .with(Status.Code.FAILED_PRECONDITION)));
    return cases;
  }

  static VolumeCapability mode(int number) {
    return ValidRequests.mount().toBuilder()
        .setAccessMode(AccessMode.newBuilder().setModeValue(number))
        .build();
  }

  private static CreateVolumeRequest.Builder required(TopologyRequirement.Builder topologies) {
    return ValidRequests.create().setAccessibilityRequirements(topologies);
  }

  private static RequestCase malformed(String ids, String key, String value) {
    return bad(
        ids,
        required(
            TopologyRequirement.newBuilder()
                .addPreferred(Topology.newBuilder().putSegments(key, value))),
        "accessibility_requirements.preferred[0].segments");
  }
}
