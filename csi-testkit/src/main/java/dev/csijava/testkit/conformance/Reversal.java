package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.util.Optional;

/** One call that takes something back; what it throws is said where it stays in vain. */
@FunctionalInterface
interface Reversal {
  void with(Stubs stubs);

  static Reversal volume(String id) {
    return s ->
        s.controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  static Reversal snapshot(String id) {
    return s ->
        s.controller().deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build());
  }

  static Reversal group(VolumeGroupSnapshot group) {
    return s ->
        s.group()
            .deleteVolumeGroupSnapshot(
                DeleteVolumeGroupSnapshotRequest.newBuilder()
                    .setGroupSnapshotId(group.getGroupSnapshotId())
                    .addAllSnapshotIds(
                        group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList())
                    .build());
  }

  static Reversal target(NodePublishVolumeRequest r) {
    return s ->
        s.node()
            .nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(r.getVolumeId())
                    .setTargetPath(r.getTargetPath())
                    .build());
  }

  /** A driver may stage again by itself what was lost. */
  static Reversal staging(NodePublishVolumeRequest r) {
    return staging(
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId(r.getVolumeId())
            .setStagingTargetPath(r.getStagingTargetPath())
            .build());
  }

  static Reversal staging(NodeStageVolumeRequest r) {
    return s ->
        s.node()
            .nodeUnstageVolume(
                NodeUnstageVolumeRequest.newBuilder()
                    .setVolumeId(r.getVolumeId())
                    .setStagingTargetPath(r.getStagingTargetPath())
                    .build());
  }

  static Reversal attachment(ControllerPublishVolumeRequest r) {
    return s ->
        s.controller()
            .controllerUnpublishVolume(
                ControllerUnpublishVolumeRequest.newBuilder()
                    .setVolumeId(r.getVolumeId())
                    .setNodeId(r.getNodeId())
                    .build());
  }

  /**
   * The same creation again: nobody knows whether the first one made something, and the answer,
   * which the ledger sees, tells its id.
   */
  static Optional<Reversal> creation(Message request) {
    if (request instanceof CreateVolumeRequest r) {
      return Optional.of(s -> s.controller().createVolume(r));
    } else if (request instanceof CreateSnapshotRequest r) {
      return Optional.of(s -> s.controller().createSnapshot(r));
    } else if (request instanceof CreateVolumeGroupSnapshotRequest r) {
      return Optional.of(s -> s.group().createVolumeGroupSnapshot(r));
    }
    return Optional.empty();
  }
}
