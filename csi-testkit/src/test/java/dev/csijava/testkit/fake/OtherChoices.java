package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.both;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.hides;
import static dev.csijava.testkit.fake.Deviations.keeps;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseWhen;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeUsage;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Drivers that are right, though they choose otherwise than the one in memory where the
 * specification leaves a choice. The row is the one that was once held against such a driver.
 */
final class OtherChoices {
  private static final String CREATE = "CreateVolume";
  private static final String GROUP = "CreateVolumeGroupSnapshot";
  private static final String ATTACH = "ControllerPublishVolume";
  private static final String STAGE = "NodeStageVolume";
  private static final String PUBLISH = "NodePublishVolume";
  private static final String HOST = "topology.fake.csijava.dev/host";

  private OtherChoices() {}

  static List<Mutant> all() {
    return Stream.of(volumes(), places(), whatOnlyAWrongCallerSends(), onNode(), answers())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Mutant> volumes() {
    return List.of(
        Mutant.of(
            "CTRL-CREATE-006",
            "knows no sizes",
            () -> both(volume(v -> v.clearCapacityBytes()), same())),
        Mutant.of(
            "CTRL-CREATE-007",
            "has volumes that serve as either",
            () -> both(same(), confirmsAll())),
        Mutant.of("CTRL-CREATE-008", "takes no notice of strange parameters", OtherChoices::same),
        Mutant.of("CTRL-CREATE-011", "changes nothing that is not asked for", OtherChoices::same),
        Mutant.of(
            "CTRL-CREATE-019",
            "has a limit by its room only",
            () -> code(CREATE, Code.OUT_OF_RANGE, Code.RESOURCE_EXHAUSTED)),
        Mutant.of(
            "CTRL-CREATE-026",
            "takes no mutable parameter for another",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r -> r.containsParameters("iops") || r.containsParameters("throughput"),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "GROUP-CREATE-007",
            "takes no notice of strange parameters",
            () ->
                keeps(
                    GROUP,
                    CreateVolumeGroupSnapshotRequest.class,
                    CreateVolumeGroupSnapshotRequest::getName)),
        Mutant.of(
            "CTRL-PUB-008",
            "attaches for any use",
            () ->
                keeps(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    r -> r.getVolumeId() + r.getNodeId())),
        Mutant.of(
            "CTRL-CREATE-024",
            "has no room for one of its capabilities",
            () ->
                both(
                    onNodesOnly(),
                    end(
                        CREATE,
                        (request, outcome) ->
                            many((CreateVolumeRequest) request)
                                ? Deviations.refusal(Code.RESOURCE_EXHAUSTED)
                                : outcome))),
        Mutant.of(
                "CTRL-EXPAND-008",
                "grows in use, and does not say so",
                () -> accept("ControllerExpandVolume", "grows offline only"))
            .in(Config.SAYS_NOT_WHEN_IT_GROWS),
        Mutant.of("CTRL-PUB-013", "has volumes of others on its node", OtherChoices::oneOfOthers)
            .in(Config.LIMITED),
        Mutant.of(
            "CTRL-CAPACITY-009",
            "would give all its room to one volume",
            () ->
                reply(
                    "GetCapacity",
                    GetCapacityResponse.class,
                    r ->
                        r.toBuilder()
                            .setMaximumVolumeSize(Int64Value.of(r.getAvailableCapacity()))
                            .build())),
        Mutant.of(
            "GEN-RANGE-002",
            "calls a size below zero out of range",
            () -> code(CREATE, Code.INVALID_ARGUMENT, Code.OUT_OF_RANGE)),
        Mutant.of(
                "CTRL-MODIFY-006",
                "looks at the parameters first",
                () -> code("ControllerModifyVolume", Code.NOT_FOUND, Code.INVALID_ARGUMENT))
            .in(Config.NOTHING_GIVEN),
        Mutant.of("GEN-SIZE-004", "needs secrets", () -> new Deviation() {}).in(Config.SECRETS),
        Mutant.of("GEN-VCAP-005", "has its file systems on the nodes", OtherChoices::onNodesOnly));
  }

  private static List<Mutant> places() {
    List<Mutant> all = new ArrayList<>();
    for (String row :
        List.of("CTRL-CREATE-041", "CTRL-CREATE-043", "CTRL-CREATE-044", "CTRL-CREATE-046")) {
      all.add(Mutant.of(row, "tells more of a node than of a volume", OtherChoices::finerNodes));
    }
    for (String row :
        List.of(
            "CTRL-CREATE-041",
            "CTRL-CREATE-042",
            "CTRL-CREATE-043",
            "CTRL-CREATE-044",
            "CTRL-CREATE-046",
            "CTRL-CREATE-009",
            "CTRL-CREATE-049")) {
      all.add(
          Mutant.of(
              row, "has volumes that are reachable from everywhere", OtherChoices::everywhere));
    }
    for (String row :
        List.of("CTRL-CREATE-044", "CTRL-CREATE-046", "CTRL-CREATE-048", "CTRL-CREATE-049")) {
      all.add(
          Mutant.of(
              row,
              "knows which places there are",
              () ->
                  end(
                      CREATE,
                      (r, outcome) ->
                          r.toString().contains("no-such-place")
                              ? Deviations.refusal(Code.INVALID_ARGUMENT)
                              : outcome)));
    }
    all.add(
        Mutant.of(
            "CTRL-CREATE-048",
            "does not fall back",
            () ->
                refuse(
                    CREATE,
                    CreateVolumeRequest.class,
                    r ->
                        r.getAccessibilityRequirements()
                            .getPreferredList()
                            .toString()
                            .contains("no-such-place"),
                    Code.RESOURCE_EXHAUSTED)));
    all.add(
        Mutant.of(
            "GEN-TOPO-008",
            "has no room where there is no place",
            () -> code(CREATE, Code.INVALID_ARGUMENT, Code.RESOURCE_EXHAUSTED)));
    return all;
  }

  private static List<Mutant> whatOnlyAWrongCallerSends() {
    return List.of(
        Mutant.of(
                "CTRL-CREATE-029",
                "is older than mutable parameters",
                () ->
                    request(
                        CREATE,
                        CreateVolumeRequest.class,
                        r -> r.toBuilder().clearMutableParams().build()))
            .in(Config.WITHOUT_MODIFY),
        Mutant.of(
                "CTRL-CREATE-039",
                "knows no places",
                () ->
                    request(
                        CREATE,
                        CreateVolumeRequest.class,
                        r -> r.toBuilder().clearAccessibilityRequirements().build()))
            .in(Config.WITHOUT_TOPOLOGY),
        Mutant.of(
                "CTRL-CAPACITY-006",
                "knows no places",
                () ->
                    request(
                        "GetCapacity",
                        GetCapacityRequest.class,
                        r -> r.toBuilder().clearAccessibleTopology().build()))
            .in(Config.WITHOUT_TOPOLOGY),
        Mutant.of(
            "CTRL-CREATE-047",
            "prefers only what is allowed",
            () ->
                request(
                    CREATE,
                    CreateVolumeRequest.class,
                    r -> {
                      CreateVolumeRequest.Builder changed = r.toBuilder();
                      if (r.hasAccessibilityRequirements()) {
                        changed.getAccessibilityRequirementsBuilder().clearPreferred();
                      }
                      return changed.build();
                    })),
        Mutant.of(
            "CTRL-PUB-021",
            "looks for its own keys",
            () ->
                request(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    r -> r.toBuilder().removeVolumeContext("csi-testkit/foreign").build())),
        Mutant.of(
            "NODE-STAGE-012",
            "looks for its own keys",
            () ->
                request(
                    STAGE,
                    NodeStageVolumeRequest.class,
                    r -> r.toBuilder().removeVolumeContext("csi-testkit-no-such-key").build())),
        Mutant.of(
            "NODE-PUB-033",
            "looks for its own keys",
            () ->
                request(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> r.toBuilder().removeVolumeContext("csi-testkit-no-such-key").build())),
        Mutant.of(
            "NODE-UNPUB-009",
            "finds nothing at a relative path",
            () -> accept("NodeUnpublishVolume", "must be absolute")),
        Mutant.of(
            "NODE-UNSTAGE-007",
            "finds nothing at a relative path",
            () -> accept("NodeUnstageVolume", "must be absolute")),
        Mutant.of(
            "NODE-UNPUB-011",
            "finds its volume nowhere, and touches nothing",
            () -> accept("NodeUnpublishVolume", "another volume is published there")),
        Mutant.of(
            "NODE-EXPAND-017",
            "needs no staging path",
            () -> accept("NodeExpandVolume", "must be absolute")),
        Mutant.of(
            "NODE-STATS-013",
            "needs no staging path",
            () -> accept("NodeGetVolumeStats", "staging_target_path must be absolute")));
  }

  private static List<Mutant> onNode() {
    return List.of(
        Mutant.of("NODE-STAGE-007", "stages for any use", OtherChoices::stagesForAny),
        Mutant.of(
            "NODE-STAGE-008",
            "calls a file system an invalid field",
            () -> code(STAGE, Code.FAILED_PRECONDITION, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-PUB-008",
            "calls a file system an invalid field",
            () -> code(PUBLISH, Code.FAILED_PRECONDITION, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "ENGINE-CALLER-003",
            "knows the finer modes on its nodes",
            () -> hides(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER)),
        Mutant.of(
            "NODE-STATS-008",
            "makes inodes as they are needed",
            () ->
                reply(
                    "NodeGetVolumeStats",
                    NodeGetVolumeStatsResponse.class,
                    r ->
                        r.toBuilder()
                            .addUsage(VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.INODES))
                            .build())),
        Mutant.of(
            "ENGINE-MODEL-001",
            "needs the context of its volumes",
            () ->
                both(
                    refuse(
                        STAGE,
                        NodeStageVolumeRequest.class,
                        r -> r.getVolumeContextCount() == 0,
                        Code.INVALID_ARGUMENT),
                    refuse(
                        PUBLISH,
                        NodePublishVolumeRequest.class,
                        r -> r.getVolumeContextCount() == 0,
                        Code.INVALID_ARGUMENT))),
        Mutant.of(
            "ENGINE-MODEL-001", "makes nothing larger than its source", OtherChoices::noLarger),
        Mutant.of(
                "ENGINE-CALLER-017", "makes nothing larger than its source", OtherChoices::noLarger)
            .in(Config.OFFLINE),
        Mutant.of(
            "ENGINE-MODEL-001",
            "calls a source that is not there an invalid one",
            () -> code("CreateSnapshot", Code.NOT_FOUND, Code.INVALID_ARGUMENT)));
  }

  private static List<Mutant> answers() {
    return List.of(
        Mutant.of(
            "CTRL-GETSNAP-006",
            "has no alpha calls",
            () -> hides(ControllerServiceCapability.RPC.Type.GET_SNAPSHOT)),
        Mutant.of(
            "CTRL-GETSNAP-004",
            "knows the size of a snapshot later",
            () -> got(r -> r.getSnapshotBuilder().setSizeBytes(1L << 33))),
        Mutant.of("CTRL-SNAP-024", "has members that stand for themselves", OtherChoices::loose),
        Mutant.of(
            "CTRL-GETVOL-007",
            "knows no sizes later",
            () ->
                reply(
                    "ControllerGetVolume",
                    ControllerGetVolumeResponse.class,
                    r -> {
                      ControllerGetVolumeResponse.Builder changed = r.toBuilder();
                      changed.getVolumeBuilder().clearCapacityBytes();
                      return changed.build();
                    })),
        Mutant.of(
            "CTRL-LISTVOL-009",
            "has tokens that are numbers",
            () ->
                end(
                    "ListVolumes",
                    (r, outcome) ->
                        ((ListVolumesRequest) r).getStartingToken().equals("2147483648")
                            ? Deviation.Outcome.of(ListVolumesResponse.getDefaultInstance())
                            : outcome)),
        Mutant.of(
            "CTRL-LISTSNAP-009",
            "has tokens that are numbers",
            () ->
                end(
                    "ListSnapshots",
                    (r, outcome) ->
                        ((ListSnapshotsRequest) r).getStartingToken().equals("2147483648")
                            ? Deviation.Outcome.of(ListSnapshotsResponse.getDefaultInstance())
                            : outcome)),
        Mutant.of(
            "SMETA-ALLOC-004",
            "tells how little a snapshot holds",
            () ->
                reply(
                    "CreateSnapshot",
                    CreateSnapshotResponse.class,
                    r -> {
                      CreateSnapshotResponse.Builder changed = r.toBuilder();
                      changed.getSnapshotBuilder().setSizeBytes(4096);
                      return changed.build();
                    })),
        Mutant.of("SMETA-DELTA-006", "tracks no changes", () -> new Deviation() {})
            .in(Config.UNTRACKED),
        Mutant.of("ENGINE-CALLER-013", "cuts its ranges as it likes", OtherChoices::halves)
            .in(Config.EXTENTS),
        Mutant.of("ENGINE-REPLAY-001", "keeps its members in no order", OtherChoices::unordered),
        Mutant.of("ENGINE-STORM-001", "keeps its members in no order", OtherChoices::unordered));
  }

  private static Deviation same() {
    return keeps(CREATE, CreateVolumeRequest.class, CreateVolumeRequest::getName);
  }

  private static Deviation volume(Consumer<Volume.Builder> change) {
    return reply(
        CREATE,
        CreateVolumeResponse.class,
        r -> {
          CreateVolumeResponse.Builder changed = r.toBuilder();
          change.accept(changed.getVolumeBuilder());
          return changed.build();
        });
  }

  private static Deviation got(Consumer<GetSnapshotResponse.Builder> change) {
    return reply(
        "GetSnapshot",
        GetSnapshotResponse.class,
        r -> {
          GetSnapshotResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation confirmsAll() {
    return end(
        "ValidateVolumeCapabilities",
        (request, outcome) ->
            outcome.status().isOk()
                ? Deviation.Outcome.of(
                    ValidateVolumeCapabilitiesResponse.newBuilder()
                        .setConfirmed(
                            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                                .addAllVolumeCapabilities(
                                    ((ValidateVolumeCapabilitiesRequest) request)
                                        .getVolumeCapabilitiesList()))
                        .build())
                : outcome);
  }

  /** The second attachment of those two that the limit allows is one too many. */
  private static Deviation oneOfOthers() {
    return refuseWhen(
        ATTACH,
        ControllerPublishVolumeRequest.class,
        (state, r) -> state.attachedTo(r.getNodeId()) >= 1,
        Code.RESOURCE_EXHAUSTED);
  }

  private static Deviation onNodesOnly() {
    return request(
        CREATE,
        CreateVolumeRequest.class,
        r -> {
          CreateVolumeRequest.Builder changed = r.toBuilder();
          changed.getVolumeCapabilitiesBuilderList().stream()
              .filter(one -> one.getMount().getFsType().startsWith("csi-testkit"))
              .forEach(one -> one.getMountBuilder().clearFsType());
          return changed.build();
        });
  }

  private static Deviation everywhere() {
    return both(
        volume(v -> v.clearAccessibleTopology()),
        request(
            CREATE,
            CreateVolumeRequest.class,
            r -> r.toBuilder().clearAccessibilityRequirements().build()));
  }

  /** The node tells its zone and its host, volumes tell their zone. */
  private static Deviation finerNodes() {
    return both(
        reply(
            "NodeGetInfo",
            NodeGetInfoResponse.class,
            r -> {
              NodeGetInfoResponse.Builder changed = r.toBuilder();
              changed.getAccessibleTopologyBuilder().putSegments(HOST, "host-1");
              return changed.build();
            }),
        request(
            CREATE,
            CreateVolumeRequest.class,
            r -> {
              if (!r.hasAccessibilityRequirements()) {
                return r;
              }
              TopologyRequirement asked = r.getAccessibilityRequirements();
              return r.toBuilder()
                  .setAccessibilityRequirements(
                      TopologyRequirement.newBuilder()
                          .addAllRequisite(zones(asked.getRequisiteList()))
                          .addAllPreferred(zones(asked.getPreferredList())))
                  .build();
            }));
  }

  private static List<Topology> zones(List<Topology> places) {
    return places.stream().map(one -> one.toBuilder().removeSegments(HOST).build()).toList();
  }

  private static Deviation stagesForAny() {
    return both(
        request(
            STAGE,
            NodeStageVolumeRequest.class,
            r -> r.toBuilder().setVolumeCapability(written(r.getVolumeCapability())).build()),
        request(
            PUBLISH,
            NodePublishVolumeRequest.class,
            r -> r.toBuilder().setVolumeCapability(written(r.getVolumeCapability())).build()));
  }

  private static VolumeCapability written(VolumeCapability capability) {
    return capability.toBuilder()
        .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
        .build();
  }

  /** Judged before the driver looks, so that it makes none. */
  private static Deviation noLarger() {
    return request(
        CREATE,
        CreateVolumeRequest.class,
        r ->
            r.hasVolumeContentSource() && tooLarge(r)
                ? r.toBuilder()
                    .setCapacityRange(
                        r.getCapacityRange().toBuilder().setRequiredBytes(Long.MAX_VALUE))
                    .build()
                : r);
  }

  /** Sources of the cases are never as large as this before they grow. */
  private static boolean tooLarge(CreateVolumeRequest request) {
    return request.getCapacityRange().getRequiredBytes() > 1L << 30;
  }

  /** Its lists name no group, and members are deleted one by one. */
  private static Deviation loose() {
    return both(
        both(
            got(r -> r.getSnapshotBuilder().clearGroupSnapshotId()),
            reply(
                "ListSnapshots",
                ListSnapshotsResponse.class,
                r -> {
                  ListSnapshotsResponse.Builder changed = r.toBuilder();
                  changed
                      .getEntriesBuilderList()
                      .forEach(e -> e.getSnapshotBuilder().clearGroupSnapshotId());
                  return changed.build();
                })),
        accept("DeleteSnapshot", "group"));
  }

  /** A whole stream has smaller tuples than one that begins later or is read in small messages. */
  private static Deviation halves() {
    return end(
        "GetMetadataAllocated",
        (request, outcome) -> {
          if (((GetMetadataAllocatedRequest) request).getMaxResults() > 0
              || !outcome.status().isOk()) {
            return outcome;
          }
          List<Message> cut =
              outcome.replies().stream()
                  .map(GetMetadataAllocatedResponse.class::cast)
                  .<Message>map(OtherChoices::halves)
                  .toList();
          return new Deviation.Outcome(cut, outcome.status());
        });
  }

  private static GetMetadataAllocatedResponse halves(GetMetadataAllocatedResponse response) {
    GetMetadataAllocatedResponse.Builder cut = response.toBuilder().clearBlockMetadata();
    for (BlockMetadata tuple : response.getBlockMetadataList()) {
      long half = tuple.getSizeBytes() / 2;
      cut.addBlockMetadata(tuple.toBuilder().setSizeBytes(half));
      cut.addBlockMetadata(
          tuple.toBuilder()
              .setByteOffset(tuple.getByteOffset() + half)
              .setSizeBytes(tuple.getSizeBytes() - half));
    }
    return cut.build();
  }

  private static boolean many(CreateVolumeRequest request) {
    return request.getVolumeCapabilitiesCount() == 1
        && request.getVolumeCapabilities(0).getAccessMode().getMode()
            == Mode.MULTI_NODE_MULTI_WRITER;
  }

  private static Deviation unordered() {
    AtomicInteger calls = new AtomicInteger();
    return reply(
        GROUP,
        CreateVolumeGroupSnapshotResponse.class,
        r -> {
          CreateVolumeGroupSnapshotResponse.Builder changed = r.toBuilder();
          var members = new ArrayList<>(r.getGroupSnapshot().getSnapshotsList());
          Collections.rotate(members, calls.incrementAndGet());
          changed.getGroupSnapshotBuilder().clearSnapshots().addAllSnapshots(members);
          return changed.build();
        });
  }
}
