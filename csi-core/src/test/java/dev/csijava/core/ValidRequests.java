package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.List;
import java.util.Map;

/** Valid requests of every RPC: what must be there, and everything that may be there. */
final class ValidRequests {
  static final String STAGING = "/var/lib/kubelet/plugins/kubernetes.io/csi/d/h/globalmount";
  static final String TARGET = "/var/lib/kubelet/pods/p/volumes/kubernetes.io~csi/v/mount";
  static final Map<String, String> SECRETS =
      Map.of(
          "user.name",
          "ann",
          "pass-word_1",
          "s3cr3t",
          "csi.storage.k8s.io/serviceAccount.tokens",
          "{\"a\":{\"token\":\"t\"}}");
  static final Map<String, String> TEXTS = Map.of("kind", "fast", "csi.storage.k8s.io/fstype", "");

  private ValidRequests() {}

  static VolumeCapability mount() {
    return VolumeCapability.newBuilder()
        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_WRITER))
        .build();
  }

  static VolumeCapability richMount() {
    return VolumeCapability.newBuilder()
        .setMount(
            VolumeCapability.MountVolume.newBuilder()
                .setFsType("ext4")
                .addMountFlags("noatime")
                .setVolumeMountGroup("1002"))
        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
        .build();
  }

  static VolumeCapability block() {
    return VolumeCapability.newBuilder()
        .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
        .setAccessMode(AccessMode.newBuilder().setMode(AccessMode.Mode.SINGLE_NODE_SINGLE_WRITER))
        .build();
  }

  static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  static Topology topology(String value) {
    return Topology.newBuilder().putSegments("topology.hostpath.csi/node", value).build();
  }

  static TopologyRequirement topologies() {
    return TopologyRequirement.newBuilder()
        .addRequisite(topology("n1"))
        .addRequisite(topology("n2"))
        .addPreferred(topology("n2"))
        .build();
  }

  static CreateVolumeRequest.Builder create() {
    return CreateVolumeRequest.newBuilder().setName("pvc-1").addVolumeCapabilities(mount());
  }

  static ControllerPublishVolumeRequest.Builder attach() {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId("v")
        .setNodeId("n1")
        .setVolumeCapability(mount());
  }

  static ValidateVolumeCapabilitiesRequest.Builder validate() {
    return ValidateVolumeCapabilitiesRequest.newBuilder()
        .setVolumeId("v")
        .addVolumeCapabilities(mount());
  }

  static ControllerModifyVolumeRequest.Builder modify() {
    return ControllerModifyVolumeRequest.newBuilder()
        .setVolumeId("v")
        .putMutableParams("iops", "7");
  }

  static CreateSnapshotRequest.Builder snapshot() {
    return CreateSnapshotRequest.newBuilder().setSourceVolumeId("v").setName("snapshot-1");
  }

  static ControllerExpandVolumeRequest.Builder expand() {
    return ControllerExpandVolumeRequest.newBuilder()
        .setVolumeId("v")
        .setCapacityRange(range(1 << 20, 0));
  }

  static NodeStageVolumeRequest.Builder stage() {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId("v")
        .setStagingTargetPath(STAGING)
        .setVolumeCapability(mount());
  }

  static NodeUnstageVolumeRequest.Builder unstage() {
    return NodeUnstageVolumeRequest.newBuilder().setVolumeId("v").setStagingTargetPath(STAGING);
  }

  static NodePublishVolumeRequest.Builder publish() {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId("v")
        .setTargetPath(TARGET)
        .setStagingTargetPath(STAGING)
        .setVolumeCapability(mount());
  }

  static NodeUnpublishVolumeRequest.Builder unpublish() {
    return NodeUnpublishVolumeRequest.newBuilder().setVolumeId("v").setTargetPath(TARGET);
  }

  static NodeGetVolumeStatsRequest.Builder stats() {
    return NodeGetVolumeStatsRequest.newBuilder().setVolumeId("v").setVolumePath(TARGET);
  }

  static NodeGetVolumeHealthRequest.Builder nodeHealth() {
    return NodeGetVolumeHealthRequest.newBuilder().setVolumeId("v").setVolumePublishPath(TARGET);
  }

  static NodeExpandVolumeRequest.Builder nodeExpand() {
    return NodeExpandVolumeRequest.newBuilder().setVolumeId("v").setVolumePath(TARGET);
  }

  static CreateVolumeGroupSnapshotRequest.Builder group() {
    return CreateVolumeGroupSnapshotRequest.newBuilder().setName("g").addSourceVolumeIds("v");
  }

  static GetMetadataAllocatedRequest.Builder allocated() {
    return GetMetadataAllocatedRequest.newBuilder().setSnapshotId("s");
  }

  static GetMetadataDeltaRequest.Builder delta() {
    return GetMetadataDeltaRequest.newBuilder().setBaseSnapshotId("s").setTargetSnapshotId("t");
  }

  /** One of each RPC with nothing but what must be there. */
  static List<Message> minimal() {
    return List.of(
        GetPluginInfoRequest.getDefaultInstance(),
        GetPluginCapabilitiesRequest.getDefaultInstance(),
        ProbeRequest.getDefaultInstance(),
        create().build(),
        DeleteVolumeRequest.newBuilder().setVolumeId("v").build(),
        attach().build(),
        ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("v").build(),
        validate().build(),
        ListVolumesRequest.getDefaultInstance(),
        ControllerListVolumeHealthRequest.getDefaultInstance(),
        ControllerGetVolumeHealthRequest.newBuilder().setVolumeId("v").build(),
        GetCapacityRequest.getDefaultInstance(),
        ControllerGetCapabilitiesRequest.getDefaultInstance(),
        snapshot().build(),
        DeleteSnapshotRequest.newBuilder().setSnapshotId("s").build(),
        ListSnapshotsRequest.getDefaultInstance(),
        GetSnapshotRequest.newBuilder().setSnapshotId("s").build(),
        expand().build(),
        ControllerGetVolumeRequest.newBuilder().setVolumeId("v").build(),
        modify().build(),
        GroupControllerGetCapabilitiesRequest.getDefaultInstance(),
        group().build(),
        DeleteVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").build(),
        GetVolumeGroupSnapshotRequest.newBuilder().setGroupSnapshotId("g").build(),
        allocated().build(),
        delta().build(),
        stage().build(),
        unstage().build(),
        publish().clearStagingTargetPath().build(),
        unpublish().build(),
        stats().build(),
        nodeHealth().build(),
        NodeGetStorageHealthRequest.getDefaultInstance(),
        nodeExpand().build(),
        NodeGetCapabilitiesRequest.getDefaultInstance(),
        NodeGetInfoRequest.getDefaultInstance());
  }

  /** One of each RPC that has optional fields, with all of them. */
  static List<Message> maximal() {
    return List.of(
        create()
            .setCapacityRange(range(1, Long.MAX_VALUE))
            .addVolumeCapabilities(block())
            .addVolumeCapabilities(richMount())
            .putAllParameters(TEXTS)
            .putAllSecrets(SECRETS)
            .setVolumeContentSource(
                VolumeContentSource.newBuilder()
                    .setSnapshot(
                        VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("s")))
            .setAccessibilityRequirements(topologies())
            .putAllMutableParams(TEXTS)
            .build(),
        DeleteVolumeRequest.newBuilder().setVolumeId("v").putAllSecrets(SECRETS).build(),
        attach()
            .setReadonly(true)
            .putAllSecrets(SECRETS)
            .putAllVolumeContext(TEXTS)
            .setVolumeCapability(richMount())
            .build(),
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId("v")
            .setNodeId("n1")
            .putAllSecrets(SECRETS)
            .build(),
        validate()
            .putAllVolumeContext(TEXTS)
            .addVolumeCapabilities(richMount())
            .putAllParameters(TEXTS)
            .putAllSecrets(SECRETS)
            .putAllMutableParams(TEXTS)
            .build(),
        ListVolumesRequest.newBuilder().setMaxEntries(1).setStartingToken("t").build(),
        ControllerListVolumeHealthRequest.newBuilder()
            .setMaxEntries(Integer.MAX_VALUE)
            .setStartingToken("t")
            .putAllSecrets(SECRETS)
            .build(),
        GetCapacityRequest.newBuilder()
            .addVolumeCapabilities(richMount())
            .putAllParameters(TEXTS)
            .setAccessibleTopology(topology("n1"))
            .build(),
        snapshot()
            .putAllSecrets(SECRETS)
            .putAllParameters(TEXTS)
            .setAccessibilityRequirements(topologies())
            .build(),
        ListSnapshotsRequest.newBuilder()
            .setMaxEntries(1)
            .setStartingToken("t")
            .setSourceVolumeId("v")
            .setSnapshotId("s")
            .putAllSecrets(SECRETS)
            .build(),
        expand()
            .setCapacityRange(range(5, 5))
            .putAllSecrets(SECRETS)
            .setVolumeCapability(richMount())
            .build(),
        group().addSourceVolumeIds("w").putAllSecrets(SECRETS).putAllParameters(TEXTS).build(),
        DeleteVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId("g")
            .addSnapshotIds("s")
            .putAllSecrets(SECRETS)
            .build(),
        allocated().setStartingOffset(1).setMaxResults(1).putAllSecrets(SECRETS).build(),
        delta().setStartingOffset(Long.MAX_VALUE).setMaxResults(1).build(),
        stage()
            .putAllPublishContext(TEXTS)
            .setVolumeCapability(richMount())
            .putAllSecrets(SECRETS)
            .putAllVolumeContext(TEXTS)
            .build(),
        publish()
            .putAllPublishContext(TEXTS)
            .setVolumeCapability(richMount())
            .setReadonly(true)
            .putAllSecrets(SECRETS)
            .putAllVolumeContext(TEXTS)
            .build(),
        stats().setStagingTargetPath(STAGING).build(),
        nodeHealth().setStagingTargetPath(STAGING).build(),
        nodeExpand()
            .setCapacityRange(range(0, 7))
            .setStagingTargetPath(STAGING)
            .setVolumeCapability(block())
            .putAllSecrets(SECRETS)
            .build());
  }
}
