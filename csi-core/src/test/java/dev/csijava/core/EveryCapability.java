package dev.csijava.core;

import com.google.protobuf.Timestamp;
import dev.csijava.core.controller.Attachments;
import dev.csijava.core.controller.Capacity;
import dev.csijava.core.controller.ControllerExpansion;
import dev.csijava.core.controller.SnapshotListing;
import dev.csijava.core.controller.SnapshotLookup;
import dev.csijava.core.controller.Snapshots;
import dev.csijava.core.controller.VolumeListing;
import dev.csijava.core.controller.VolumeLookup;
import dev.csijava.core.controller.VolumeModification;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.group.GroupSnapshots;
import dev.csijava.core.health.ControllerHealth;
import dev.csijava.core.health.NodeHealth;
import dev.csijava.core.health.StorageHealth;
import dev.csijava.core.metadata.ReplyStream;
import dev.csijava.core.metadata.SnapshotMetadata;
import dev.csijava.core.node.NodeExpansion;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.Staging;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeUsage;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Answers all RPCs with the least that is valid, and counts them. */
class EveryCapability
    implements Volumes,
        VolumeListing,
        VolumeLookup,
        Attachments,
        Capacity,
        Snapshots,
        SnapshotListing,
        SnapshotLookup,
        ControllerExpansion,
        VolumeModification,
        ControllerHealth,
        GroupSnapshots,
        SnapshotMetadata,
        Staging,
        Publishing,
        VolumeStats,
        NodeExpansion,
        NodeHealth,
        StorageHealth {
  final Map<String, Integer> calls = new ConcurrentHashMap<>();

  /** A driver with everything that there is. */
  CsiDriver.Builder driver() {
    return CsiDriver.named("every.example.com")
        .version("1.2.3")
        .controller(
            c ->
                c.volumes(this)
                    .listing(this)
                    .lookup(this)
                    .attachments(this)
                    .capacity(this)
                    .snapshots(this)
                    .snapshotListing(this)
                    .snapshotLookup(this)
                    .expansion(this)
                    .modification(this)
                    .health(this)
                    .cloning()
                    .publishReadonly()
                    .publishedNodes()
                    .singleNodeMultiWriter()
                    .topology()
                    .snapshotTopology())
        .node(
            n ->
                n.id("node-1")
                    .topology(Map.of("topology.every.example.com/node", "node-1"))
                    .staging(this)
                    .publishing(this)
                    .stats(this)
                    .expansion(this)
                    .health(this)
                    .storageHealth(this)
                    .singleNodeMultiWriter()
                    .mountGroup())
        .volumeExpansion(PluginCapability.VolumeExpansion.Type.ONLINE)
        .groupSnapshots(this)
        .snapshotMetadata(this);
  }

  private void count(CallContext call) {
    calls.merge(call.rpc(), 1, Integer::sum);
  }

  private static Volume volume(String id) {
    return Volume.newBuilder()
        .setVolumeId(id)
        .setCapacityBytes(1 << 20)
        .addAccessibleTopology(
            Topology.newBuilder().putSegments("topology.every.example.com/node", "node-1"))
        .build();
  }

  private static Snapshot snapshot(String id, String source) {
    return Snapshot.newBuilder()
        .setSnapshotId(id)
        .setSourceVolumeId(source)
        .setSizeBytes(1 << 20)
        .setCreationTime(Timestamp.newBuilder().setSeconds(1_000_000))
        .setReadyToUse(true)
        .addAccessibleTopology(
            Topology.newBuilder().putSegments("topology.every.example.com/node", "node-1"))
        .build();
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    count(call);
    Volume.Builder volume = volume("vol-" + request.getName()).toBuilder();
    volume.setCapacityBytes(Math.max(1 << 20, request.getCapacityRange().getRequiredBytes()));
    if (request.hasVolumeContentSource()) {
      volume.setContentSource(request.getVolumeContentSource());
    }
    return CreateVolumeResponse.newBuilder().setVolume(volume).build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    count(call);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    count(call);
    return ValidateVolumeCapabilitiesResponse.newBuilder()
        .setConfirmed(
            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList()))
        .build();
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
    count(call);
    return ListVolumesResponse.newBuilder()
        .addEntries(
            ListVolumesResponse.Entry.newBuilder()
                .setVolume(volume("vol-1"))
                .setStatus(ListVolumesResponse.VolumeStatus.getDefaultInstance()))
        .build();
  }

  @Override
  public ControllerGetVolumeResponse controllerGetVolume(
      ControllerGetVolumeRequest request, CallContext call) {
    count(call);
    return ControllerGetVolumeResponse.newBuilder()
        .setVolume(volume(request.getVolumeId()))
        .setStatus(ControllerGetVolumeResponse.VolumeStatus.getDefaultInstance())
        .build();
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request, CallContext call) {
    count(call);
    return ControllerPublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request, CallContext call) {
    count(call);
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request, CallContext call) {
    count(call);
    return GetCapacityResponse.newBuilder().setAvailableCapacity(1 << 20).build();
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request, CallContext call) {
    count(call);
    return CreateSnapshotResponse.newBuilder()
        .setSnapshot(snapshot("snap-" + request.getName(), request.getSourceVolumeId()))
        .build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call) {
    count(call);
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext call) {
    count(call);
    return ListSnapshotsResponse.getDefaultInstance();
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request, CallContext call) {
    count(call);
    return GetSnapshotResponse.newBuilder()
        .setSnapshot(snapshot(request.getSnapshotId(), "vol-1"))
        .build();
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request, CallContext call) {
    count(call);
    return ControllerExpandVolumeResponse.newBuilder()
        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
        .setNodeExpansionRequired(true)
        .build();
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request, CallContext call) {
    count(call);
    return ControllerModifyVolumeResponse.getDefaultInstance();
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request, CallContext call) {
    calls.merge("ControllerGetVolumeHealth", 1, Integer::sum);
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId(request.getVolumeId()))
        .build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call) {
    count(call);
    return ControllerListVolumeHealthResponse.getDefaultInstance();
  }

  @Override
  public CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request, CallContext call) {
    count(call);
    return CreateVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(group("group-" + request.getName(), request.getSourceVolumeIdsList()))
        .build();
  }

  private static VolumeGroupSnapshot group(String id, Iterable<String> sources) {
    VolumeGroupSnapshot.Builder group =
        VolumeGroupSnapshot.newBuilder()
            .setGroupSnapshotId(id)
            .setReadyToUse(true)
            .setCreationTime(Timestamp.newBuilder().setSeconds(1_000_000));
    for (String source : sources) {
      group.addSnapshots(snapshot("snap-" + source, source).toBuilder().setGroupSnapshotId(id));
    }
    return group.build();
  }

  @Override
  public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request, CallContext call) {
    count(call);
    return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
  }

  @Override
  public GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request, CallContext call) {
    count(call);
    return GetVolumeGroupSnapshotResponse.newBuilder()
        .setGroupSnapshot(group(request.getGroupSnapshotId(), List.of("vol-1")))
        .build();
  }

  @Override
  public void getMetadataAllocated(
      GetMetadataAllocatedRequest request,
      ReplyStream<GetMetadataAllocatedResponse> replies,
      CallContext call) {
    count(call);
    for (long offset = 0; offset < 8192; offset += 4096) {
      replies.send(
          GetMetadataAllocatedResponse.newBuilder()
              .setBlockMetadataType(BlockMetadataType.FIXED_LENGTH)
              .setVolumeCapacityBytes(1 << 20)
              .addBlockMetadata(BlockMetadata.newBuilder().setByteOffset(offset).setSizeBytes(4096))
              .build());
    }
  }

  @Override
  public void getMetadataDelta(
      GetMetadataDeltaRequest request,
      ReplyStream<GetMetadataDeltaResponse> replies,
      CallContext call) {
    count(call);
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call) {
    count(call);
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(
      NodeUnstageVolumeRequest request, CallContext call) {
    count(call);
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    count(call);
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    count(call);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    count(call);
    return NodeGetVolumeStatsResponse.newBuilder()
        .addUsage(
            VolumeUsage.newBuilder()
                .setTotal(1 << 20)
                .setUsed(1)
                .setAvailable(1)
                .setUnit(VolumeUsage.Unit.BYTES))
        .build();
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(
      NodeExpandVolumeRequest request, CallContext call) {
    count(call);
    return NodeExpandVolumeResponse.newBuilder()
        .setCapacityBytes(request.getCapacityRange().getRequiredBytes())
        .build();
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, CallContext call) {
    calls.merge("NodeGetVolumeHealth", 1, Integer::sum);
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(VolumeHealth.newBuilder().setVolumeId(request.getVolumeId()))
        .build();
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, CallContext call) {
    count(call);
    return NodeGetStorageHealthResponse.getDefaultInstance();
  }
}
