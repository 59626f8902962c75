package dev.csijava.hostpath.controller;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Snapshots;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;

/** Snapshots of directory volumes: copies, whole and on disk before the call is answered. */
public final class HostpathSnapshots implements Snapshots {
  private final StateDirectory state;
  private final DirectoryBacking backing;
  private final NodeTopology topology;
  private final Clock clock;

  /**
   * @param clock for the creation times
   */
  public HostpathSnapshots(
      StateDirectory state, DirectoryBacking backing, NodeTopology topology, Clock clock) {
    this.state = state;
    this.backing = backing;
    this.topology = topology;
    this.clock = clock;
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request, CallContext call) {
    Record snapshot =
        state
            .snapshots()
            .byName(request.getName())
            .map(existing -> repeated(existing, request))
            .orElseGet(() -> made(request));
    return CreateSnapshotResponse.newBuilder()
        .setSnapshot(VolumeMessages.snapshot(snapshot))
        .build();
  }

  private static Record repeated(Record existing, CreateSnapshotRequest request) {
    CreateSnapshotRequest first = existing.getSnapshot().getRequest();
    if (!existing.getSnapshot().getSourceVolumeId().equals(request.getSourceVolumeId())) {
      throw CsiException.alreadyExists("there is a snapshot of this name, cut of another volume");
    }
    if (!KubernetesKeys.withoutReserved(first.getParametersMap())
        .equals(KubernetesKeys.withoutReserved(request.getParametersMap()))) {
      throw CsiException.alreadyExists(
          "there is a snapshot of this name, cut with other parameters");
    }
    return existing;
  }

  private Record made(CreateSnapshotRequest request) {
    topology.require(
        request.hasAccessibilityRequirements(), request.getAccessibilityRequirements());
    Record volume =
        state
            .volumes()
            .byId(request.getSourceVolumeId())
            .orElseThrow(
                () -> CsiException.notFound("source_volume_id: there is no such volume"));
    Path source = state.volumes().data(volume);
    Record draft =
        Record.newBuilder()
            .setName(request.getName())
            .setSizeBytes(volume.getSizeBytes())
            .setCreated(now())
            .setBacking(volume.getBacking())
            .setSnapshot(
                SnapshotDetails.newBuilder()
                    .setSourceVolumeId(volume.getId())
                    .setRequest(request.toBuilder().clearSecrets()))
            .build();
    return state.snapshots().create(draft, data -> backing.copy(source, data));
  }

  private Timestamp now() {
    Instant now = clock.instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call) {
    state.snapshots().byId(request.getSnapshotId()).ifPresent(state.snapshots()::delete);
    return DeleteSnapshotResponse.getDefaultInstance();
  }
}
