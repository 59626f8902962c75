package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The RPCs of single snapshots. */
final class SnapshotCalls {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  SnapshotCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  CreateSnapshotResponse create(CreateSnapshotRequest request) {
    FakeServices.gate(settings.has(RPC.Type.CREATE_DELETE_SNAPSHOT), "CreateSnapshot");
    services.fields.check(request);
    Fields.name(request.getName());
    Fields.required(request.getSourceVolumeId(), "source_volume_id");
    Parameters.check(settings, request.getParametersMap());
    if (request.hasAccessibilityRequirements()) {
      if (!settings.withSnapshotTopology()) {
        throw Failure.invalid("accessibility_requirements need SNAPSHOT_ACCESSIBILITY_CONSTRAINTS");
      }
      Placement.wellFormed(request.getAccessibilityRequirements());
    }
    Instant now = Instant.now();
    Optional<FakeSnapshot> existing = state.snapshotNamed(request.getName());
    if (existing.isPresent()) {
      if (!existing.get().sourceVolume().equals(request.getSourceVolumeId())
          || !existing.get().parameters().equals(request.getParametersMap())) {
        throw Failure.exists("a snapshot of that name was made otherwise");
      }
      return CreateSnapshotResponse.newBuilder().setSnapshot(existing.get().message(now)).build();
    }
    FakeVolume volume = state.volume(request.getSourceVolumeId());
    if (!Placement.meets(
        services.snapshotter.topology(volume), request.getAccessibilityRequirements())) {
      throw Failure.exhausted("the snapshot can't be reached from the topologies asked for");
    }
    services.snapshotter.checkRoom(1);
    services.snapshotter.before(volume);
    FakeSnapshot snapshot =
        services.snapshotter.cut(volume, request.getName(), request.getParametersMap(), "", now);
    return CreateSnapshotResponse.newBuilder().setSnapshot(snapshot.message(now)).build();
  }

  DeleteSnapshotResponse delete(DeleteSnapshotRequest request) {
    FakeServices.gate(settings.has(RPC.Type.CREATE_DELETE_SNAPSHOT), "DeleteSnapshot");
    services.fields.check(request);
    Fields.required(request.getSnapshotId(), "snapshot_id");
    FakeSnapshot snapshot = state.snapshots.get(request.getSnapshotId());
    if (snapshot != null) {
      if (!snapshot.group().isEmpty()) {
        throw Failure.invalid("the snapshot belongs to group " + snapshot.group());
      }
      services.snapshotter.checkUnused(snapshot);
      state.snapshots.remove(snapshot.id());
    }
    return DeleteSnapshotResponse.getDefaultInstance();
  }

  ListSnapshotsResponse list(ListSnapshotsRequest request) {
    FakeServices.gate(settings.has(RPC.Type.LIST_SNAPSHOTS), "ListSnapshots");
    services.fields.check(request);
    Map<String, FakeSnapshot> wanted = new TreeMap<>(state.snapshots);
    wanted
        .values()
        .removeIf(
            snapshot ->
                differs(request.getSnapshotId(), snapshot.id())
                    || differs(request.getSourceVolumeId(), snapshot.sourceVolume()));
    Pages<FakeSnapshot> page =
        Pages.of(wanted, request.getMaxEntries(), request.getStartingToken());
    Instant now = Instant.now();
    ListSnapshotsResponse.Builder reply =
        ListSnapshotsResponse.newBuilder().setNextToken(page.nextToken());
    page.entries()
        .forEach(
            snapshot ->
                reply.addEntries(
                    ListSnapshotsResponse.Entry.newBuilder().setSnapshot(snapshot.message(now))));
    return reply.build();
  }

  private static boolean differs(String filter, String value) {
    return !filter.isEmpty() && !filter.equals(value);
  }

  GetSnapshotResponse get(GetSnapshotRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_SNAPSHOT), "GetSnapshot");
    services.fields.check(request);
    Fields.required(request.getSnapshotId(), "snapshot_id");
    FakeSnapshot snapshot = state.snapshot(request.getSnapshotId());
    return GetSnapshotResponse.newBuilder().setSnapshot(snapshot.message(Instant.now())).build();
  }
}
