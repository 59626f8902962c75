package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.Topology;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Cuts snapshots. */
final class Snapshotter {
  private final FakeSettings settings;
  private final FakeState state;

  Snapshotter(FakeSettings settings, FakeState state) {
    this.settings = settings;
    this.state = state;
  }

  void checkRoom(int more) {
    if (state.snapshots.size() + more > settings.maxSnapshots) {
      throw Failure.exhausted("there is room for " + settings.maxSnapshots + " snapshots only");
    }
  }

  /** Where a snapshot of the volume can be reached; empty if that is not reported. */
  List<Topology> topology(FakeVolume volume) {
    return settings.withSnapshotTopology() ? volume.topology : List.of();
  }

  /** Does what happened to the volume since the last cut. */
  void before(FakeVolume volume) {
    if (settings.workload) {
      Workload.go(volume, state);
    }
  }

  FakeSnapshot cut(
      FakeVolume volume, String name, Map<String, String> parameters, String group, Instant now) {
    FakeSnapshot snapshot =
        new FakeSnapshot(
            state.newId("snap"),
            name,
            volume.id,
            Map.copyOf(parameters),
            volume.capacity,
            now,
            now.plus(settings.snapshotProcessing),
            group,
            topology(volume),
            volume.blocks.copy());
    state.snapshots.put(snapshot.id(), snapshot);
    return snapshot;
  }

  /** FAILED_PRECONDITION while a volume lives on the snapshot, if that matters here. */
  void checkUnused(FakeSnapshot snapshot) {
    if (settings.snapshotsPinned && state.restored(snapshot.id())) {
      throw Failure.precondition("a volume was made from snapshot " + snapshot.id());
    }
  }
}
