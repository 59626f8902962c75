package dev.csijava.hostpath.controller;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Snapshots;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
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
  private final SnapshotMessages messages;
  private final Clock clock;
  private final IdempotentCreate<CreateSnapshotRequest, Record> creates;

  /**
   * @param clock for the creation times
   */
  public HostpathSnapshots(
      StateDirectory state,
      DirectoryBacking backing,
      NodeTopology topology,
      SnapshotMessages messages,
      Clock clock) {
    this.state = state;
    this.backing = backing;
    this.topology = topology;
    this.messages = messages;
    this.clock = clock;
    this.creates =
        IdempotentCreate.ofSnapshots(
            name ->
                state
                    .snapshots()
                    .byName(name)
                    .map(record -> new Made<>(record.getSnapshot().getRequest(), record)),
            (snapshot, requirement) -> topology.satisfies(requirement));
  }

  @Override
  public CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request, CallContext call) {
    Record snapshot = creates.findOrCreate(request, this::make);
    return CreateSnapshotResponse.newBuilder().setSnapshot(messages.snapshot(snapshot)).build();
  }

  private Record make(CreateSnapshotRequest request) {
    SnapshotParameters.require(request.getParametersMap());
    topology.require(
        request.hasAccessibilityRequirements(), request.getAccessibilityRequirements());
    Record volume =
        state
            .volumes()
            .byId(request.getSourceVolumeId())
            .orElseThrow(() -> CsiException.notFound("source_volume_id: there is no such volume"));
    Path source = state.volumes().data(volume);
    Record draft =
        Record.newBuilder()
            .setName(request.getName())
            .setSizeBytes(volume.getSizeBytes())
            .setCreated(now())
            .setBacking(volume.getBacking())
            .setSnapshot(
                SnapshotDetails.newBuilder().setSourceVolumeId(volume.getId()).setRequest(request))
            .build();
    return state.snapshots().create(draft, data -> backing.copy(source, data));
  }

  private Timestamp now() {
    Instant now = clock.instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call) {
    state.snapshots().byId(request.getSnapshotId()).ifPresent(this::delete);
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  private void delete(Record snapshot) {
    if (!snapshot.getSnapshot().getGroupId().isEmpty()) {
      throw CsiException.invalidArgument(
          "the snapshot is a member of the group "
              + snapshot.getSnapshot().getGroupId()
              + " and is deleted with it, by DeleteVolumeGroupSnapshot");
    }
    state.snapshots().delete(snapshot);
  }
}
