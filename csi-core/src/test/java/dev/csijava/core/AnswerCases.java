package dev.csijava.core;

import static dev.csijava.core.AnswerCase.bad;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetPluginCapabilitiesResponse;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeContentSource;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeUsage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Every rule of answers, broken once. */
final class AnswerCases {
  private static final Message NONE = ProbeRequest.getDefaultInstance();
  private static final String FILLED =
      "CTRL-SNAP-013 CTRL-LISTSNAP-017 CTRL-GETSNAP-004 GROUP-CREATE-012 GROUP-GET-007"
          + " GEN-FIELD-004";

  private AnswerCases() {}

  static List<AnswerCase> all() {
    List<AnswerCase> cases = new ArrayList<>();
    cases.addAll(identity());
    cases.addAll(created());
    cases.addAll(topologies());
    cases.addAll(confirmed());
    cases.addAll(lists());
    cases.addAll(sizes());
    cases.addAll(snapshots());
    cases.addAll(groups());
    cases.addAll(health());
    cases.addAll(node());
    cases.addAll(metadata());
    return cases;
  }

  private static List<AnswerCase> identity() {
    String name = "IDENT-INFO-003 IDENT-INFO-004 IDENT-INFO-005";
    return List.of(
        bad("IDENT-INFO-002", NONE, ValidAnswers.info().clearName(), "name"),
        bad(name, NONE, ValidAnswers.info().setName("a".repeat(64)), "name"),
        bad(name, NONE, ValidAnswers.info().setName("a..b"), "name"),
        bad(name, NONE, ValidAnswers.info().setName("-a"), "name"),
        bad(name, NONE, ValidAnswers.info().setName("a.b-"), "name"),
        bad(name, NONE, ValidAnswers.info().setName("a_b"), "name"),
        bad("IDENT-INFO-007", NONE, ValidAnswers.info().clearVendorVersion(), "vendor_version"),
        bad(
            "GEN-SIZE-001",
            NONE,
            ValidAnswers.info().setVendorVersion("1".repeat(129)),
            "vendor_version"),
        bad(
            "GEN-SIZE-002",
            NONE,
            ValidAnswers.info().putManifest("k", "v".repeat(4096)),
            "manifest"),
        bad(
            "GEN-FIELD-004",
            NONE,
            GetPluginCapabilitiesResponse.newBuilder()
                .addCapabilities(PluginCapability.getDefaultInstance()),
            "capabilities[0].type"),
        bad(
            "GEN-FIELD-004",
            NONE,
            GetPluginCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    PluginCapability.newBuilder()
                        .setService(PluginCapability.Service.getDefaultInstance())),
            "capabilities[0].service.type"),
        bad(
            "GEN-FIELD-004",
            NONE,
            ControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(ControllerServiceCapability.getDefaultInstance()),
            "capabilities[0].rpc"),
        bad(
            "GEN-FIELD-004",
            NONE,
            NodeGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    NodeServiceCapability.newBuilder()
                        .setRpc(NodeServiceCapability.RPC.newBuilder().setTypeValue(99))),
            "capabilities[0].rpc.type"),
        bad(
            "GEN-FIELD-004",
            NONE,
            GroupControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(GroupControllerServiceCapability.getDefaultInstance()),
            "capabilities[0].rpc"));
  }

  private static AnswerCase volume(String ids, Volume.Builder volume, String path) {
    return bad(ids, ValidAnswers.CREATE, CreateVolumeResponse.newBuilder().setVolume(volume), path);
  }

  private static List<AnswerCase> created() {
    return List.of(
        bad("CTRL-CREATE-053", ValidAnswers.CREATE, CreateVolumeResponse.newBuilder(), "volume"),
        volume(
            "CTRL-CREATE-053 CTRL-LISTVOL-011 CTRL-GETVOL-004",
            ValidAnswers.volume().clearVolumeId(),
            "volume.volume_id"),
        volume(
            "CTRL-CREATE-055", ValidAnswers.volume().setCapacityBytes(-1), "volume.capacity_bytes"),
        volume(
            "CTRL-CREATE-016", ValidAnswers.volume().setCapacityBytes(99), "volume.capacity_bytes"),
        volume(
            "CTRL-CREATE-017",
            ValidAnswers.volume().setCapacityBytes(201),
            "volume.capacity_bytes"),
        volume(
            "CTRL-CREATE-038", ValidAnswers.volume().clearContentSource(), "volume.content_source"),
        bad(
            "CTRL-CREATE-038",
            ValidRequests.create().build(),
            ValidAnswers.created(),
            "volume.content_source"),
        volume(
            "GEN-FIELD-004",
            ValidAnswers.volume().setContentSource(VolumeContentSource.getDefaultInstance()),
            "volume.content_source.type"),
        volume(
            "GEN-FIELD-004",
            ValidAnswers.volume()
                .setContentSource(
                    VolumeContentSource.newBuilder()
                        .setVolume(VolumeContentSource.VolumeSource.getDefaultInstance())),
            "volume.content_source.volume.volume_id"),
        volume(
            "GEN-SIZE-001", ValidAnswers.volume().setVolumeId("v".repeat(129)), "volume.volume_id"),
        volume(
            "GEN-SIZE-002",
            ValidAnswers.volume().putVolumeContext("c", "\u20ac".repeat(1366)),
            "volume.volume_context"),
        bad(
            "CTRL-PUB-019 GEN-SIZE-002",
            NONE,
            ControllerPublishVolumeResponse.newBuilder().putPublishContext("c", "v".repeat(4096)),
            "publish_context"));
  }

  private static AnswerCase segments(String ids, Topology.Builder topology) {
    return volume(
        ids,
        ValidAnswers.volume().setAccessibleTopology(0, topology),
        "volume.accessible_topology[0].segments");
  }

  private static AnswerCase segment(String ids, String key, String value) {
    return segments(ids, Topology.newBuilder().putSegments(key, value));
  }

  private static List<AnswerCase> topologies() {
    CapabilityView none =
        Capabilities.without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    return List.of(
        segments("GEN-FIELD-004", Topology.newBuilder()),
        segment("GEN-TOPO-001 GEN-TOPO-002", "a.com/", "v"),
        segment("GEN-TOPO-002", "a.com/-b", "v"),
        segment("GEN-TOPO-003", "A.com/b", "v"),
        segments(
            "GEN-TOPO-005", Topology.newBuilder().putSegments("a/x", "v").putSegments("y", "v")),
        segments("GEN-TOPO-006", Topology.newBuilder().putSegments("x", "v").putSegments("X", "v")),
        segment("GEN-TOPO-007", "a.com/b", "no blanks"),
        volume("GEN-TOPO-009 IDENT-CAPS-006", ValidAnswers.volume(), "volume.accessible_topology")
            .with(none),
        volume(
            "CTRL-CREATE-041",
            ValidAnswers.volume().setAccessibleTopology(0, ValidRequests.topology("n9")),
            "volume.accessible_topology"),
        bad(
                "NODE-INFO-008 GEN-TOPO-009 IDENT-CAPS-006",
                NONE,
                ValidAnswers.nodeInfo(),
                "accessible_topology")
            .with(none));
  }

  private static AnswerCase confirms(
      String ids, ValidateVolumeCapabilitiesResponse.Builder answer, String path) {
    return bad(ids, ValidAnswers.VALIDATE, answer, path);
  }

  private static List<AnswerCase> confirmed() {
    ValidateVolumeCapabilitiesResponse.Builder none = ValidAnswers.confirmed();
    none.getConfirmedBuilder().clearVolumeCapabilities();
    ValidateVolumeCapabilitiesResponse.Builder some = ValidAnswers.confirmed();
    some.getConfirmedBuilder().removeVolumeCapabilities(1);
    ValidateVolumeCapabilitiesResponse.Builder more = ValidAnswers.confirmed();
    more.getConfirmedBuilder().addVolumeCapabilities(ValidRequests.block());
    ValidateVolumeCapabilitiesResponse.Builder context = ValidAnswers.confirmed();
    context.getConfirmedBuilder().putVolumeContext("c", "other");
    ValidateVolumeCapabilitiesResponse.Builder parameters = ValidAnswers.confirmed();
    parameters.getConfirmedBuilder().putParameters("new", "v");
    ValidateVolumeCapabilitiesResponse.Builder mutable = ValidAnswers.confirmed();
    mutable.getConfirmedBuilder().putMutableParams("new", "v");
    return List.of(
        confirms("CTRL-VALIDATE-007 GEN-FIELD-004", none, "confirmed.volume_capabilities"),
        confirms("CTRL-VALIDATE-006", some, "confirmed.volume_capabilities"),
        confirms("CTRL-VALIDATE-008", more, "confirmed.volume_capabilities"),
        confirms("CTRL-VALIDATE-008", context, "confirmed.volume_context"),
        confirms("CTRL-VALIDATE-008", parameters, "confirmed.parameters"),
        confirms("CTRL-VALIDATE-008", mutable, "confirmed.mutable_parameters"),
        confirms(
            "CTRL-VALIDATE-011 GEN-SIZE-001",
            ValidateVolumeCapabilitiesResponse.newBuilder().setMessage("m".repeat(129)),
            "message"));
  }

  private static AnswerCase lists(String ids, ListVolumesResponse.Builder answer, String path) {
    return bad(ids, ValidAnswers.LIST, answer, path);
  }

  private static AnswerCase gets(
      String ids, ControllerGetVolumeResponse.Builder answer, String path) {
    return bad(ids, ValidAnswers.GET, answer, path);
  }

  private static List<AnswerCase> lists() {
    ListVolumesResponse.Entry other =
        ValidAnswers.entry().setVolume(ValidAnswers.volume().setVolumeId("w")).build();
    ListVolumesResponse.Entry third =
        ValidAnswers.entry().setVolume(ValidAnswers.volume().setVolumeId("x")).build();
    ListVolumesResponse.Entry.Builder noCondition = ValidAnswers.entry();
    noCondition.getStatusBuilder().clearVolumeCondition();
    ListVolumesResponse.Entry.Builder noMessage = ValidAnswers.entry();
    noMessage.getStatusBuilder().setVolumeCondition(VolumeCondition.getDefaultInstance());
    ListVolumesResponse.Entry.Builder noNode = ValidAnswers.entry();
    noNode.getStatusBuilder().addPublishedNodeIds("");
    ListVolumesResponse.Entry.Builder longNode = ValidAnswers.entry();
    longNode.getStatusBuilder().addPublishedNodeIds("n".repeat(257));
    ControllerGetVolumeResponse.Builder getNoNode = ValidAnswers.got();
    getNoNode.getStatusBuilder().addPublishedNodeIds("");
    ControllerGetVolumeResponse.Builder getLongNode = ValidAnswers.got();
    getLongNode.getStatusBuilder().addPublishedNodeIds("n".repeat(257));
    ControllerGetVolumeResponse.Builder getNoCondition = ValidAnswers.got();
    getNoCondition.getStatusBuilder().clearVolumeCondition();
    ControllerGetVolumeResponse.Builder getOther = ValidAnswers.got();
    getOther.getVolumeBuilder().setVolumeId("w");
    String status = "entries[0].status";
    String nodes = status + ".published_node_ids[1]";
    return List.of(
        lists(
            "CTRL-LISTVOL-011",
            ListVolumesResponse.newBuilder().addEntries(ValidAnswers.entry().clearVolume()),
            "entries[0].volume"),
        lists(
            "CTRL-LISTVOL-003",
            ValidAnswers.listed().addEntries(other).addEntries(third),
            "entries"),
        lists("CTRL-LISTVOL-007", ValidAnswers.listed().setNextToken("t1"), "next_token"),
        lists("GEN-SIZE-001", ValidAnswers.listed().setNextToken("t".repeat(129)), "next_token"),
        lists(
            "CTRL-LISTVOL-002",
            ValidAnswers.listed().addEntries(ValidAnswers.entry()),
            "entries[1].volume.volume_id"),
        lists(
            "CTRL-LISTVOL-012",
            ListVolumesResponse.newBuilder().addEntries(ValidAnswers.entry().clearStatus()),
            status),
        lists(
            "CTRL-LISTVOL-014",
            ListVolumesResponse.newBuilder().addEntries(noCondition),
            status + ".volume_condition"),
        lists(
            "GEN-COND-001",
            ListVolumesResponse.newBuilder().addEntries(noMessage),
            status + ".volume_condition.message"),
        lists("GEN-FIELD-004", ListVolumesResponse.newBuilder().addEntries(noNode), nodes),
        lists("GEN-SIZE-001", ListVolumesResponse.newBuilder().addEntries(longNode), nodes),
        gets("CTRL-GETVOL-004", ValidAnswers.got().clearVolume(), "volume"),
        gets("CTRL-GETVOL-004", ValidAnswers.got().clearStatus(), "status"),
        gets("CTRL-GETVOL-004", getOther, "volume.volume_id"),
        gets("CTRL-GETVOL-005", getNoCondition, "status.volume_condition"),
        gets("GEN-FIELD-004", getNoNode, "status.published_node_ids[1]"),
        gets("GEN-SIZE-001", getLongNode, "status.published_node_ids[1]"));
  }

  private static List<AnswerCase> sizes() {
    ControllerExpandVolumeRequest expand =
        ValidRequests.expand().setCapacityRange(ValidRequests.range(100, 200)).build();
    Message capacity = GetCapacityRequest.getDefaultInstance();
    ControllerExpandVolumeResponse expanded =
        ControllerExpandVolumeResponse.newBuilder().setCapacityBytes(150).build();
    return List.of(
        bad("CTRL-EXPAND-013", expand, expanded.toBuilder().setCapacityBytes(0), "capacity_bytes"),
        bad("CTRL-EXPAND-013", expand, expanded.toBuilder().setCapacityBytes(-1), "capacity_bytes"),
        bad("CTRL-EXPAND-013", expand, expanded.toBuilder().setCapacityBytes(99), "capacity_bytes"),
        bad(
            "CTRL-EXPAND-013",
            expand,
            expanded.toBuilder().setCapacityBytes(201),
            "capacity_bytes"),
        bad(
                "CTRL-EXPAND-015",
                expand,
                expanded.toBuilder().setNodeExpansionRequired(true),
                "node_expansion_required")
            .with(Capabilities.without(NodeServiceCapability.RPC.Type.EXPAND_VOLUME)),
        bad(
            "CTRL-CAPACITY-002",
            capacity,
            GetCapacityResponse.newBuilder().setAvailableCapacity(-1),
            "available_capacity"),
        bad(
            "CTRL-CAPACITY-007",
            capacity,
            GetCapacityResponse.newBuilder().setMaximumVolumeSize(Int64Value.of(-1)),
            "maximum_volume_size"),
        bad(
            "CTRL-CAPACITY-007",
            capacity,
            GetCapacityResponse.newBuilder().setMinimumVolumeSize(Int64Value.of(-1)),
            "minimum_volume_size"));
  }

  private static AnswerCase snapshot(String ids, Snapshot.Builder snapshot, String path) {
    return bad(
        ids,
        ValidRequests.snapshot().build(),
        CreateSnapshotResponse.newBuilder().setSnapshot(snapshot),
        path);
  }

  private static AnswerCase listsSnapshots(
      String ids, ListSnapshotsRequest.Builder request, Snapshot.Builder snapshot, String path) {
    return bad(
        ids,
        request.build(),
        ListSnapshotsResponse.newBuilder()
            .addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot)),
        path);
  }

  private static List<AnswerCase> snapshots() {
    ListSnapshotsResponse.Entry entry =
        ListSnapshotsResponse.Entry.newBuilder().setSnapshot(ValidAnswers.snapshot()).build();
    List<AnswerCase> cases = new ArrayList<>();
    for (Timestamp time :
        List.of(
            Timestamp.getDefaultInstance(),
            Timestamp.newBuilder().setSeconds(-1).build(),
            Timestamp.newBuilder().setSeconds(1).setNanos(1_000_000_000).build(),
            Timestamp.newBuilder().setSeconds(1).setNanos(-1).build(),
            Timestamp.newBuilder().setSeconds(Long.MAX_VALUE).build())) {
      cases.add(
          snapshot(
              "CTRL-SNAP-015",
              ValidAnswers.snapshot().setCreationTime(time),
              "snapshot.creation_time"));
    }
    cases.addAll(
        List.of(
            bad(
                "CTRL-SNAP-013",
                ValidRequests.snapshot().build(),
                CreateSnapshotResponse.newBuilder(),
                "snapshot"),
            snapshot(FILLED, ValidAnswers.snapshot().clearSnapshotId(), "snapshot.snapshot_id"),
            snapshot(
                FILLED, ValidAnswers.snapshot().clearSourceVolumeId(), "snapshot.source_volume_id"),
            snapshot(FILLED, ValidAnswers.snapshot().clearCreationTime(), "snapshot.creation_time"),
            snapshot(
                "CTRL-SNAP-014",
                ValidAnswers.snapshot().setSourceVolumeId("w"),
                "snapshot.source_volume_id"),
            snapshot(
                "CTRL-SNAP-016", ValidAnswers.snapshot().setSizeBytes(-1), "snapshot.size_bytes"),
            snapshot(
                "CTRL-SNAP-023",
                ValidAnswers.snapshot().setGroupSnapshotId("g"),
                "snapshot.group_snapshot_id"),
            snapshot(
                "V113-TOPO-001",
                ValidAnswers.snapshot().clearAccessibleTopology(),
                "snapshot.accessible_topology"),
            snapshot("V113-TOPO-001", ValidAnswers.snapshot(), "snapshot.accessible_topology")
                .with(
                    Capabilities.without(
                        PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)),
            bad(
                "CTRL-GETSNAP-004",
                ValidAnswers.GET_SNAPSHOT,
                GetSnapshotResponse.newBuilder(),
                "snapshot"),
            bad(
                "CTRL-GETSNAP-001",
                ValidAnswers.GET_SNAPSHOT,
                GetSnapshotResponse.newBuilder()
                    .setSnapshot(ValidAnswers.snapshot().setSnapshotId("t")),
                "snapshot.snapshot_id"),
            bad(
                "CTRL-LISTSNAP-017",
                ValidAnswers.LIST_SNAPSHOTS,
                ListSnapshotsResponse.newBuilder()
                    .addEntries(ListSnapshotsResponse.Entry.getDefaultInstance()),
                "entries[0].snapshot"),
            bad(
                "CTRL-LISTSNAP-004",
                ValidAnswers.LIST_SNAPSHOTS,
                ValidAnswers.snapshots().addEntries(entry).addEntries(entry),
                "entries"),
            bad(
                "CTRL-LISTSNAP-008",
                ValidAnswers.LIST_SNAPSHOTS,
                ValidAnswers.snapshots().setNextToken("t1"),
                "next_token"),
            bad(
                "CTRL-LISTSNAP-002",
                ValidAnswers.LIST_SNAPSHOTS,
                ValidAnswers.snapshots().addEntries(entry),
                "entries[1].snapshot.snapshot_id")));
    cases.addAll(
        List.of(
            listsSnapshots(
                "CTRL-LISTSNAP-011 CTRL-LISTSNAP-014",
                ListSnapshotsRequest.newBuilder().setSourceVolumeId("w").setSnapshotId("s"),
                ValidAnswers.snapshot(),
                "entries[0].snapshot.source_volume_id"),
            listsSnapshots(
                "CTRL-LISTSNAP-012 CTRL-LISTSNAP-014",
                ListSnapshotsRequest.newBuilder().setSourceVolumeId("v").setSnapshotId("t"),
                ValidAnswers.snapshot(),
                "entries[0].snapshot.snapshot_id")));
    return cases;
  }

  private static AnswerCase group(String ids, VolumeGroupSnapshot.Builder group, String path) {
    return bad(
        ids,
        ValidRequests.group().build(),
        CreateVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(group),
        path);
  }

  private static List<AnswerCase> groups() {
    Snapshot stranger =
        ValidAnswers.snapshot()
            .setGroupSnapshotId("g")
            .setSourceVolumeId("w")
            .setReadyToUse(true)
            .build();
    return List.of(
        bad(
            "GROUP-CREATE-011",
            ValidRequests.group().build(),
            CreateVolumeGroupSnapshotResponse.newBuilder(),
            "group_snapshot"),
        group(
            "GROUP-CREATE-011 GROUP-GET-007",
            ValidAnswers.group().clearGroupSnapshotId(),
            "group_snapshot.group_snapshot_id"),
        group(
            "GROUP-CREATE-011 GROUP-GET-007",
            ValidAnswers.group().clearCreationTime(),
            "group_snapshot.creation_time"),
        group(
            "GROUP-CREATE-012 GROUP-GET-007",
            ValidAnswers.group().clearSnapshots(),
            "group_snapshot.snapshots"),
        group(
            "GROUP-CREATE-012",
            ValidAnswers.group().addSnapshots(stranger),
            "group_snapshot.snapshots"),
        group(
            "GROUP-CREATE-013",
            ValidAnswers.group().setSnapshots(0, ValidAnswers.snapshot().setReadyToUse(true)),
            "group_snapshot.snapshots[0].group_snapshot_id"),
        group(
            "GROUP-CREATE-014",
            ValidAnswers.group().setSnapshots(0, ValidAnswers.snapshot().setGroupSnapshotId("g")),
            "group_snapshot.ready_to_use"),
        bad(
            "GROUP-GET-007",
            ValidAnswers.GET_GROUP,
            GetVolumeGroupSnapshotResponse.newBuilder(),
            "group_snapshot"),
        bad(
            "GROUP-GET-007",
            ValidAnswers.GET_GROUP.toBuilder().setGroupSnapshotId("h").build(),
            GetVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(ValidAnswers.group()),
            "group_snapshot.group_snapshot_id"));
  }

  private static AnswerCase healthList(
      String ids, ControllerListVolumeHealthResponse.Builder answer, String path) {
    return bad(ids, ValidAnswers.LIST_HEALTH, answer, path);
  }

  private static AnswerCase volumeHealth(String ids, VolumeHealth.Builder health, String path) {
    return bad(
        ids,
        ValidAnswers.HEALTH,
        ControllerGetVolumeHealthResponse.newBuilder().setVolumeHealth(health),
        path);
  }

  private static VolumeHealth.Builder health(
      Consumer<VolumeHealth.VolumeHealthEntry.Builder> change) {
    VolumeHealth.Builder health = ValidAnswers.health();
    change.accept(health.getHealthStatusesBuilder(0));
    return health;
  }

  private static List<AnswerCase> health() {
    VolumeHealth healthy = VolumeHealth.newBuilder().setVolumeId("v").build();
    String first = "volume_health.health_statuses[0].";
    return List.of(
        bad(
            "V113-CHEALTH-003 GEN-FIELD-004",
            ValidAnswers.HEALTH,
            ControllerGetVolumeHealthResponse.newBuilder(),
            "volume_health"),
        volumeHealth("V113-CHEALTH-003", VolumeHealth.newBuilder(), "volume_health.volume_id"),
        volumeHealth(
            "V113-CHEALTH-003", ValidAnswers.health().setVolumeId("w"), "volume_health.volume_id"),
        volumeHealth("V113-CHEALTH-004", health(e -> e.clearStatus()), first + "status"),
        volumeHealth("V113-CHEALTH-004", health(e -> e.setStatusValue(9)), first + "status"),
        volumeHealth("V113-CHEALTH-004", health(e -> e.setReason("")), first + "reason"),
        volumeHealth("V113-CHEALTH-004", health(e -> e.setReason("diskSlow")), first + "reason"),
        volumeHealth("V113-CHEALTH-004", health(e -> e.setReason("Disk Slow")), first + "reason"),
        volumeHealth("GEN-SIZE-001", health(e -> e.setMessage("m".repeat(129))), first + "message"),
        healthList(
            "V113-LHEALTH-001 V113-LHEALTH-002",
            ControllerListVolumeHealthResponse.newBuilder().addEntries(healthy),
            "entries[0].health_statuses"),
        healthList(
            "V113-LHEALTH-003",
            ControllerListVolumeHealthResponse.newBuilder()
                .addEntries(ValidAnswers.health())
                .addEntries(ValidAnswers.health())
                .addEntries(ValidAnswers.health()),
            "entries"),
        healthList(
            "V113-LHEALTH-003",
            ControllerListVolumeHealthResponse.newBuilder().setNextToken("t1"),
            "next_token"),
        bad(
            "GEN-FIELD-004",
            ValidRequests.nodeHealth().build(),
            NodeGetVolumeHealthResponse.newBuilder(),
            "volume_health"),
        bad(
            "V113-NHEALTH-003",
            ValidRequests.nodeHealth().setVolumeId("w").build(),
            NodeGetVolumeHealthResponse.newBuilder().setVolumeHealth(healthy),
            "volume_health.volume_id"),
        bad(
            "V113-SHEALTH-002",
            NONE,
            NodeGetStorageHealthResponse.newBuilder()
                .addBackendHealth(ValidAnswers.backend().clearStatus()),
            "backend_health[0].status"),
        bad(
            "V113-SHEALTH-002",
            NONE,
            NodeGetStorageHealthResponse.newBuilder()
                .addBackendHealth(ValidAnswers.backend().setReason("no")),
            "backend_health[0].reason"),
        bad(
            "GEN-VCAP-001",
            NONE,
            NodeGetStorageHealthResponse.newBuilder()
                .addBackendHealth(
                    ValidAnswers.backend()
                        .setVolumeCapability(ValidRequests.mount().toBuilder().clearAccessType())),
            "backend_health[0].volume_capability.access_type"));
  }

  private static AnswerCase usage(String ids, VolumeUsage.Builder usage, String field) {
    return bad(
        ids,
        NONE,
        NodeGetVolumeStatsResponse.newBuilder()
            .addUsage(usage)
            .setVolumeCondition(ValidAnswers.condition()),
        "usage[0]." + field);
  }

  private static VolumeUsage.Builder bytes() {
    return VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.BYTES).setTotal(7);
  }

  private static List<AnswerCase> node() {
    return List.of(
        bad("NODE-INFO-002", NONE, NodeGetInfoResponse.newBuilder(), "node_id"),
        bad("NODE-INFO-004", NONE, ValidAnswers.nodeInfo().setNodeId("n".repeat(257)), "node_id"),
        bad(
            "NODE-INFO-006",
            NONE,
            ValidAnswers.nodeInfo().setMaxVolumesPerNode(-1),
            "max_volumes_per_node"),
        bad(
            "GEN-FIELD-004",
            NONE,
            NodeExpandVolumeResponse.newBuilder().setCapacityBytes(-1),
            "capacity_bytes"),
        usage("NODE-STATS-008", bytes().clearUnit(), "unit"),
        usage("NODE-STATS-008", bytes().clearTotal(), "total"),
        usage("NODE-STATS-009", bytes().setTotal(-1), "total"),
        usage("NODE-STATS-009", bytes().setAvailable(-1), "available"),
        usage("NODE-STATS-009", bytes().setUsed(-1), "used"),
        bad("NODE-STATS-006", NONE, ValidAnswers.stats().clearUsage(), "usage"),
        bad(
            "NODE-STATS-011",
            NONE,
            ValidAnswers.stats().clearVolumeCondition(),
            "volume_condition"));
  }

  private static AnswerCase range(BlockMetadata.Builder range, String field) {
    return bad(
        "SMETA-STREAM-010",
        ValidRequests.allocated().build(),
        ValidAnswers.allocated().addBlockMetadata(range),
        "block_metadata[0]." + field);
  }

  private static List<AnswerCase> metadata() {
    Message request = ValidRequests.allocated().build();
    return List.of(
        bad(
            "SMETA-STREAM-005",
            request,
            ValidAnswers.allocated().clearBlockMetadataType(),
            "block_metadata_type"),
        bad(
            "SMETA-STREAM-007",
            request,
            ValidAnswers.allocated().setVolumeCapacityBytes(0),
            "volume_capacity_bytes"),
        bad(
            "SMETA-STREAM-007",
            request,
            ValidAnswers.allocated().setVolumeCapacityBytes(-1),
            "volume_capacity_bytes"),
        range(BlockMetadata.newBuilder().setByteOffset(-1).setSizeBytes(1), "byte_offset"),
        range(BlockMetadata.newBuilder().setSizeBytes(0), "size_bytes"),
        range(BlockMetadata.newBuilder().setSizeBytes(-1), "size_bytes"));
  }
}
