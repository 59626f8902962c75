package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeGetStorageHealthResponse.StorageBackendHealth;
import dev.csijava.spec.v1.Topology;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** All that the driver knows. Its monitor is the driver's only lock. */
final class FakeState {
  final Map<String, FakeVolume> volumes = new TreeMap<>();
  final Map<String, FakeSnapshot> snapshots = new TreeMap<>();
  final Map<String, FakeGroup> groups = new TreeMap<>();

  /** A volume of a pod's manifest. */
  record Inline(String volumeId, boolean readonly) {}

  /** Inline volumes, by the target where each is. */
  final Map<String, Inline> inline = new TreeMap<>();

  final List<StorageBackendHealth> storageHealth = new ArrayList<>();
  boolean ready = true;
  private long writes;

  String newId(String kind) {
    return kind + "-" + UUID.randomUUID();
  }

  /** The number of the next write; no two blocks that were written apart are equal. */
  long nextWrite() {
    return ++writes;
  }

  FakeVolume volume(String id) {
    FakeVolume volume = volumes.get(id);
    if (volume == null) {
      throw Failure.notFound("volume", id);
    }
    return volume;
  }

  FakeSnapshot snapshot(String id) {
    FakeSnapshot snapshot = snapshots.get(id);
    if (snapshot == null) {
      throw Failure.notFound("snapshot", id);
    }
    return snapshot;
  }

  Optional<FakeVolume> volumeNamed(String name) {
    return first(volumes.values().stream(), volume -> volume.request.getName().equals(name));
  }

  Optional<FakeSnapshot> snapshotNamed(String name) {
    return first(
        snapshots.values().stream(),
        snapshot -> snapshot.group().isEmpty() && snapshot.name().equals(name));
  }

  Optional<FakeGroup> groupNamed(String name) {
    return first(groups.values().stream(), group -> group.name().equals(name));
  }

  /** Whether a volume was made from the snapshot and still lives. */
  boolean restored(String snapshotId) {
    return volumes.values().stream()
        .anyMatch(
            volume ->
                volume
                    .request
                    .getVolumeContentSource()
                    .getSnapshot()
                    .getSnapshotId()
                    .equals(snapshotId));
  }

  long promised(Predicate<Topology> counted) {
    return volumes.values().stream()
        .filter(volume -> volume.topology.isEmpty() || volume.topology.stream().anyMatch(counted))
        .mapToLong(volume -> volume.capacity)
        .sum();
  }

  long attachedTo(String node) {
    return volumes.values().stream().filter(v -> v.attachments.containsKey(node)).count();
  }

  private static <T> Optional<T> first(Stream<T> all, Predicate<T> wanted) {
    return all.filter(wanted).findFirst();
  }
}
