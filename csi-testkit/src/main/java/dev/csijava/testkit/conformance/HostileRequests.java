package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.List;

/**
 * An honest request of every RPC, about objects that are there, for somebody to spoil. What would
 * remove these objects names others.
 */
final class HostileRequests {
  private final CaseContext c;
  private final Volume volume;
  private final String snapshotId;
  private final String stagingPath;
  private final String targetPath;

  HostileRequests(CaseContext context) {
    this.c = context;
    boolean makes = context.advertises("ctrl:CREATE_DELETE_VOLUME");
    this.volume =
        makes
            ? context.make().volume()
            : Volume.newBuilder().setVolumeId(context.requests().unknownId()).build();
    this.snapshotId =
        makes && context.advertises("ctrl:CREATE_DELETE_SNAPSHOT")
            ? context.make().snapshot(volume).getSnapshotId()
            : context.requests().unknownId();
    NodeWork node = context.make().onNode();
    this.stagingPath = node.stagingPath();
    this.targetPath = node.targetPath();
  }

  Message of(CsiRpc rpc) {
    return switch (rpc.service()) {
      case "Node" -> node(rpc);
      case "Controller" -> controller(rpc);
      default -> beside(rpc);
    };
  }

  private OnNode onNode() {
    var nothing = dev.csijava.spec.v1.ControllerPublishVolumeResponse.getDefaultInstance();
    return new OnNode(volume, c.requests().capability(), nothing, stagingPath);
  }

  private Message node(CsiRpc rpc) {
    return switch (rpc) {
      case NODE_STAGE_VOLUME -> onNode().stageRequest().build();
      case NODE_UNSTAGE_VOLUME -> onNode().unstageRequest();
      case NODE_PUBLISH_VOLUME -> onNode().publishRequest(targetPath).build();
      case NODE_UNPUBLISH_VOLUME -> onNode().unpublishRequest(targetPath);
      case NODE_GET_VOLUME_STATS ->
          NodeGetVolumeStatsRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .setVolumePath(targetPath)
              .build();
      case NODE_EXPAND_VOLUME ->
          NodeExpandVolumeRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .setVolumePath(targetPath)
              .setVolumeCapability(c.requests().capability())
              .setCapacityRange(Requests.atLeast(c.settings().size()))
              .build();
      default -> rpc.emptyRequest();
    };
  }

  private Message controller(CsiRpc rpc) {
    return switch (rpc) {
      case CREATE_VOLUME -> c.requests().volume().build();
      case CONTROLLER_PUBLISH_VOLUME -> attach();
      case CONTROLLER_UNPUBLISH_VOLUME ->
          ControllerUnpublishVolumeRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .setNodeId(nodeId())
              .build();
      case VALIDATE_VOLUME_CAPABILITIES ->
          ValidateVolumeCapabilitiesRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .addVolumeCapabilities(c.requests().capability())
              .putAllVolumeContext(volume.getVolumeContextMap())
              .build();
      case GET_CAPACITY ->
          GetCapacityRequest.newBuilder()
              .addVolumeCapabilities(c.requests().capability())
              .putAllParameters(c.settings().parameters())
              .build();
      case CREATE_SNAPSHOT -> c.requests().snapshot(volume.getVolumeId()).build();
      case GET_SNAPSHOT -> GetSnapshotRequest.newBuilder().setSnapshotId(snapshotId).build();
      case CONTROLLER_GET_VOLUME ->
          ControllerGetVolumeRequest.newBuilder().setVolumeId(volume.getVolumeId()).build();
      case CONTROLLER_EXPAND_VOLUME ->
          ControllerExpandVolumeRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .setCapacityRange(Requests.atLeast(c.settings().size()))
              .setVolumeCapability(c.requests().capability())
              .build();
      case CONTROLLER_MODIFY_VOLUME ->
          ControllerModifyVolumeRequest.newBuilder()
              .setVolumeId(volume.getVolumeId())
              .putAllMutableParams(c.settings().mutableParameters())
              .build();
      default -> rpc.emptyRequest();
    };
  }

  private Message attach() {
    return dev.csijava.spec.v1.ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setNodeId(nodeId())
        .setVolumeCapability(c.requests().capability())
        .putAllVolumeContext(volume.getVolumeContextMap())
        .build();
  }

  private String nodeId() {
    return c.advertises("service:Node") ? c.nodeInfo().getNodeId() : c.requests().unknownId();
  }

  /** Of the services that have few RPCs. */
  private Message beside(CsiRpc rpc) {
    String unknown = c.requests().unknownId();
    return switch (rpc) {
      case CREATE_VOLUME_GROUP_SNAPSHOT ->
          c.requests().group(List.of(volume.getVolumeId())).build();
      case DELETE_VOLUME_GROUP_SNAPSHOT ->
          DeleteVolumeGroupSnapshotRequest.newBuilder()
              .setGroupSnapshotId(unknown)
              .addSnapshotIds(unknown)
              .build();
      case GET_VOLUME_GROUP_SNAPSHOT ->
          GetVolumeGroupSnapshotRequest.newBuilder()
              .setGroupSnapshotId(unknown)
              .addSnapshotIds(unknown)
              .build();
      case GET_METADATA_ALLOCATED ->
          GetMetadataAllocatedRequest.newBuilder().setSnapshotId(snapshotId).build();
      case GET_METADATA_DELTA ->
          GetMetadataDeltaRequest.newBuilder()
              .setBaseSnapshotId(snapshotId)
              .setTargetSnapshotId(snapshotId)
              .build();
      default -> rpc.emptyRequest();
    };
  }
}
