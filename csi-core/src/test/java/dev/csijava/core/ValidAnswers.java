package dev.csijava.core;

import com.google.protobuf.Int64Value;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.GetPluginCapabilitiesResponse;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.StorageHealthErrorType;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeContentSource;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import dev.csijava.spec.v1.VolumeUsage;
import java.util.ArrayList;
import java.util.List;

/** Valid answers of every RPC of a driver that offers everything, with their requests. */
final class ValidAnswers {
  static final CreateVolumeRequest CREATE =
      ValidRequests.create()
          .setCapacityRange(ValidRequests.range(100, 200))
          .setVolumeContentSource(source())
          .setAccessibilityRequirements(ValidRequests.topologies())
          .build();
  static final ValidateVolumeCapabilitiesRequest VALIDATE =
      ValidRequests.validate()
          .addVolumeCapabilities(ValidRequests.richMount())
          .putParameters("k", "v")
          .putMutableParams("m", "v")
          .putVolumeContext("c", "v")
          .build();
  static final ListVolumesRequest LIST =
      ListVolumesRequest.newBuilder().setMaxEntries(2).setStartingToken("t1").build();
  static final ControllerGetVolumeRequest GET =
      ControllerGetVolumeRequest.newBuilder().setVolumeId("v").build();
  static final ListSnapshotsRequest LIST_SNAPSHOTS =
      ListSnapshotsRequest.newBuilder().setMaxEntries(2).setStartingToken("t1").build();
  static final GetSnapshotRequest GET_SNAPSHOT =
      GetSnapshotRequest.newBuilder().setSnapshotId("s").build();
  static final ControllerGetVolumeHealthRequest HEALTH =
      ControllerGetVolumeHealthRequest.newBuilder().setVolumeId("v").build();
  static final ControllerListVolumeHealthRequest LIST_HEALTH =
      ControllerListVolumeHealthRequest.newBuilder()
          .setMaxEntries(2)
          .setStartingToken("t1")
          .build();
  static final GetVolumeGroupSnapshotRequest GET_GROUP =
      GetVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").build();

  /** A request and its answer. */
  record Exchange(Message request, Message answer) {
    @Override
    public String toString() {
      return answer.getDescriptorForType().getName();
    }
  }

  private ValidAnswers() {}

  private static VolumeContentSource source() {
    return VolumeContentSource.newBuilder()
        .setSnapshot(VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("s"))
        .build();
  }

  static GetPluginInfoResponse.Builder info() {
    return GetPluginInfoResponse.newBuilder()
        .setName("memo.example.com")
        .setVendorVersion("1.0.0")
        .putManifest("build", "7");
  }

  static Volume.Builder volume() {
    return Volume.newBuilder()
        .setVolumeId("v")
        .setCapacityBytes(150)
        .putVolumeContext("k", "v")
        .setContentSource(source())
        .addAccessibleTopology(ValidRequests.topology("n1"));
  }

  static CreateVolumeResponse.Builder created() {
    return CreateVolumeResponse.newBuilder().setVolume(volume());
  }

  static ValidateVolumeCapabilitiesResponse.Builder confirmed() {
    return ValidateVolumeCapabilitiesResponse.newBuilder()
        .setConfirmed(
            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                .addAllVolumeCapabilities(VALIDATE.getVolumeCapabilitiesList())
                .putParameters("k", "v")
                .putMutableParams("m", "v")
                .putVolumeContext("c", "v"));
  }

  static VolumeCondition condition() {
    return VolumeCondition.newBuilder().setMessage("healthy").build();
  }

  static ListVolumesResponse.Entry.Builder entry() {
    return ListVolumesResponse.Entry.newBuilder()
        .setVolume(volume())
        .setStatus(
            ListVolumesResponse.VolumeStatus.newBuilder()
                .addPublishedNodeIds("n".repeat(256))
                .setVolumeCondition(condition()));
  }

  static ListVolumesResponse.Builder listed() {
    return ListVolumesResponse.newBuilder().addEntries(entry()).setNextToken("t2");
  }

  static ControllerGetVolumeResponse.Builder got() {
    return ControllerGetVolumeResponse.newBuilder()
        .setVolume(volume())
        .setStatus(
            ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                .addPublishedNodeIds("n")
                .setVolumeCondition(condition()));
  }

  static VolumeHealth.Builder health() {
    return VolumeHealth.newBuilder()
        .setVolumeId("v")
        .addHealthStatuses(
            VolumeHealth.VolumeHealthEntry.newBuilder()
                .setStatus(VolumeHealthErrorType.DEGRADED)
                .setReason("DiskSlow")
                .setMessage("slow"));
  }

  static StorageBackendHealth.Builder backend() {
    return StorageBackendHealth.newBuilder()
        .setStatus(StorageHealthErrorType.STORAGE_UNREACHABLE)
        .setReason("NoRoute")
        .setVolumeCapability(ValidRequests.mount());
  }

  static Snapshot.Builder snapshot() {
    return Snapshot.newBuilder()
        .setSnapshotId("s")
        .setSourceVolumeId("v")
        .setSizeBytes(1)
        .setCreationTime(Timestamp.newBuilder().setSeconds(1_700_000_000).setNanos(7))
        .addAccessibleTopology(ValidRequests.topology("n1"));
  }

  static ListSnapshotsResponse.Builder snapshots() {
    return ListSnapshotsResponse.newBuilder()
        .addEntries(ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot()))
        .setNextToken("t2");
  }

  static VolumeGroupSnapshot.Builder group() {
    return VolumeGroupSnapshot.newBuilder()
        .setGroupSnapshotId("g")
        .setCreationTime(Timestamp.newBuilder().setSeconds(1_700_000_000))
        .addSnapshots(snapshot().setGroupSnapshotId("g").setReadyToUse(true))
        .setReadyToUse(true);
  }

  static NodeGetVolumeStatsResponse.Builder stats() {
    return NodeGetVolumeStatsResponse.newBuilder()
        .addUsage(
            VolumeUsage.newBuilder()
                .setUnit(VolumeUsage.Unit.BYTES)
                .setTotal(9)
                .setUsed(4)
                .setAvailable(5))
        .addUsage(VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.INODES).setTotal(9))
        .setVolumeCondition(condition());
  }

  static NodeGetInfoResponse.Builder nodeInfo() {
    return NodeGetInfoResponse.newBuilder()
        .setNodeId("n".repeat(256))
        .setMaxVolumesPerNode(7)
        .setAccessibleTopology(ValidRequests.topology("n1"));
  }

  static GetMetadataAllocatedResponse.Builder allocated(long... offsetsAndSizes) {
    GetMetadataAllocatedResponse.Builder answer =
        GetMetadataAllocatedResponse.newBuilder()
            .setBlockMetadataType(BlockMetadataType.VARIABLE_LENGTH)
            .setVolumeCapacityBytes(1000);
    for (int i = 0; i < offsetsAndSizes.length; i += 2) {
      answer.addBlockMetadata(
          BlockMetadata.newBuilder()
              .setByteOffset(offsetsAndSizes[i])
              .setSizeBytes(offsetsAndSizes[i + 1]));
    }
    return answer;
  }

  /** One of each RPC. */
  static List<Exchange> all() {
    List<Message> requests = ValidRequests.minimal();
    List<Message> answers =
        List.of(
            info().build(),
            GetPluginCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    PluginCapability.newBuilder()
                        .setService(
                            PluginCapability.Service.newBuilder()
                                .setType(PluginCapability.Service.Type.CONTROLLER_SERVICE)))
                .build(),
            ProbeResponse.getDefaultInstance(),
            created().build(),
            DeleteVolumeResponse.getDefaultInstance(),
            ControllerPublishVolumeResponse.newBuilder().putPublishContext("lun", "7").build(),
            ControllerUnpublishVolumeResponse.getDefaultInstance(),
            confirmed().build(),
            listed().build(),
            ControllerListVolumeHealthResponse.newBuilder().addEntries(health()).build(),
            ControllerGetVolumeHealthResponse.newBuilder().setVolumeHealth(health()).build(),
            GetCapacityResponse.newBuilder()
                .setAvailableCapacity(5)
                .setMaximumVolumeSize(Int64Value.of(5))
                .setMinimumVolumeSize(Int64Value.of(0))
                .build(),
            ControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    ControllerServiceCapability.newBuilder()
                        .setRpc(
                            ControllerServiceCapability.RPC
                                .newBuilder()
                                .setType(ControllerServiceCapability.RPC.Type.GET_VOLUME)))
                .build(),
            CreateSnapshotResponse.newBuilder().setSnapshot(snapshot()).build(),
            DeleteSnapshotResponse.getDefaultInstance(),
            snapshots().build(),
            GetSnapshotResponse.newBuilder().setSnapshot(snapshot()).build(),
            ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(1 << 20)
                .setNodeExpansionRequired(true)
                .build(),
            got().build(),
            ControllerModifyVolumeResponse.getDefaultInstance(),
            GroupControllerGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    GroupControllerServiceCapability.newBuilder()
                        .setRpc(
                            GroupControllerServiceCapability.RPC
                                .newBuilder()
                                .setType(
                                    GroupControllerServiceCapability.RPC
                                        .Type
                                        .CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT)))
                .build(),
            CreateVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(group()).build(),
            DeleteVolumeGroupSnapshotResponse.getDefaultInstance(),
            GetVolumeGroupSnapshotResponse.newBuilder().setGroupSnapshot(group()).build(),
            allocated(0, 10).build(),
            GetMetadataDeltaResponse.newBuilder()
                .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
                .setVolumeCapacityBytes(10)
                .build(),
            NodeStageVolumeResponse.getDefaultInstance(),
            NodeUnstageVolumeResponse.getDefaultInstance(),
            NodePublishVolumeResponse.getDefaultInstance(),
            NodeUnpublishVolumeResponse.getDefaultInstance(),
            stats().build(),
            NodeGetVolumeHealthResponse.newBuilder()
                .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId("v"))
                .build(),
            NodeGetStorageHealthResponse.newBuilder().addBackendHealth(backend()).build(),
            NodeExpandVolumeResponse.newBuilder().setCapacityBytes(7).build(),
            NodeGetCapabilitiesResponse.newBuilder()
                .addCapabilities(
                    NodeServiceCapability.newBuilder()
                        .setRpc(
                            NodeServiceCapability.RPC
                                .newBuilder()
                                .setType(NodeServiceCapability.RPC.Type.GET_VOLUME_STATS)))
                .build(),
            nodeInfo().build());
    List<Exchange> exchanges = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      Message request =
          requests.get(i) instanceof CreateVolumeRequest
              ? CREATE
              : requests.get(i) instanceof ValidateVolumeCapabilitiesRequest
                  ? VALIDATE
                  : requests.get(i);
      exchanges.add(new Exchange(request, answers.get(i)));
    }
    return exchanges;
  }
}
