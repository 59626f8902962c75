package dev.csijava.testkit.fake;

import com.google.protobuf.Timestamp;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * One snapshot; ready from a certain moment on.
 *
 * @param group the id of the group that it belongs to, or empty
 */
record FakeSnapshot(
    String id,
    String name,
    String sourceVolume,
    Map<String, String> parameters,
    long size,
    Instant cut,
    Instant readyAt,
    String group,
    List<Topology> topology,
    BlockMap blocks) {

  boolean ready(Instant now) {
    return !now.isBefore(readyAt);
  }

  Snapshot message(Instant now) {
    return Snapshot.newBuilder()
        .setSnapshotId(id)
        .setSourceVolumeId(sourceVolume)
        .setSizeBytes(size)
        .setCreationTime(timestamp(cut))
        .setReadyToUse(ready(now))
        .setGroupSnapshotId(group)
        .addAllAccessibleTopology(topology)
        .build();
  }

  static Timestamp timestamp(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }
}
