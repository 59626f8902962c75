package dev.csijava.hostpath.controller;

import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import java.util.List;

/**
 * What callers are told of a snapshot: the same in the first answer, its replay and every list.
 *
 * @param accessible where snapshots can be reached from; empty for callers that do not know the
 *     field, which came with CSI 1.13
 */
public record SnapshotMessages(List<Topology> accessible) {
  /** Copies. */
  public SnapshotMessages {
    accessible = List.copyOf(accessible);
  }

  /** One snapshot. */
  public Snapshot snapshot(Record record) {
    return Snapshot.newBuilder()
        .setSnapshotId(record.getId())
        .setSourceVolumeId(record.getSnapshot().getSourceVolumeId())
        .setSizeBytes(record.getSizeBytes())
        .setCreationTime(record.getCreated())
        .setReadyToUse(true)
        .setGroupSnapshotId(record.getSnapshot().getGroupId())
        .addAllAccessibleTopology(accessible)
        .build();
  }
}
