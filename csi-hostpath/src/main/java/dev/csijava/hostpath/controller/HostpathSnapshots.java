package dev.csijava.hostpath.controller;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Snapshots;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeData.Plan;
import dev.csijava.hostpath.backing.VolumeData.Source;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.SnapshotDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import java.time.Clock;
import java.time.Instant;

/** Snapshots: copies, whole and on disk before the call is answered. */
public final class HostpathSnapshots implements Snapshots {
  private final StateDirectory state;
  private final VolumeData data;
  private final NodeTopology topology;
  private final SnapshotMessages messages;
  private final Clock clock;
  private final IdempotentCreate<CreateSnapshotRequest, Record> creates;
  private final TakenOver takenOver;

  /**
   * @param data plans what is made
   * @param clock for the creation times
   */
  public HostpathSnapshots(
      StateDirectory state,
      VolumeData data,
      NodeTopology topology,
      SnapshotMessages messages,
      Clock clock) {
    this.state = state;
    this.data = data;
    this.topology = topology;
    this.messages = messages;
    this.clock = clock;
    this.takenOver = new TakenOver(state);
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
    Record snapshot =
        takenOver.snapshot(request).orElseGet(() -> creates.findOrCreate(request, this::make));
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
    Plan plan =
        data.snapshot(
            new Source(volume, state.volumes()),
            SnapshotParameters.ignoresFailedRead(request.getParametersMap()));
    Record draft =
        plan.draft().toBuilder()
            .setName(request.getName())
            .setCreated(now())
            .setSnapshot(
                SnapshotDetails.newBuilder().setSourceVolumeId(volume.getId()).setRequest(request))
            .build();
    return state.snapshots().create(draft, plan.maker(draft));
  }

  private Timestamp now() {
    Instant now = clock.instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call) {
    state
        .snapshots()
        .byId(request.getSnapshotId())
        .ifPresentOrElse(this::delete, () -> state.requireNoRemains(request.getSnapshotId()));
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
