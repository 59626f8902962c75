package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * What two answers to one call have in common: lists without an order of their own are put into
 * one, and the size of a snapshot, which a back end may know later than the cut, is left out.
 */
final class Stable {
  private static final Comparator<Topology> BY_SEGMENTS =
      Comparator.comparing(topology -> new TreeMap<>(topology.getSegmentsMap()).toString());

  private Stable() {}

  static Message of(Message answer) {
    if (answer instanceof Volume volume) {
      return volume.toBuilder()
          .clearAccessibleTopology()
          .addAllAccessibleTopology(sorted(volume.getAccessibleTopologyList()))
          .build();
    } else if (answer instanceof Snapshot snapshot) {
      return snapshot(snapshot);
    } else if (answer instanceof VolumeGroupSnapshot group) {
      return group.toBuilder()
          .clearSnapshots()
          .addAllSnapshots(
              group.getSnapshotsList().stream()
                  .map(Stable::snapshot)
                  .sorted(Comparator.comparing(Snapshot::getSnapshotId))
                  .toList())
          .build();
    }
    return answer;
  }

  private static Snapshot snapshot(Snapshot snapshot) {
    return snapshot.toBuilder()
        .clearSizeBytes()
        .clearAccessibleTopology()
        .addAllAccessibleTopology(sorted(snapshot.getAccessibleTopologyList()))
        .build();
  }

  private static List<Topology> sorted(List<Topology> topologies) {
    return topologies.stream().sorted(BY_SEGMENTS).toList();
  }
}
