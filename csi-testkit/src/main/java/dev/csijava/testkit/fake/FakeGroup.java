package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Snapshots that were cut together. */
record FakeGroup(
    String id,
    String name,
    Map<String, String> parameters,
    Instant cut,
    List<FakeSnapshot> members) {

  List<String> memberIds() {
    return members.stream().map(FakeSnapshot::id).toList();
  }

  VolumeGroupSnapshot message(Instant now) {
    return VolumeGroupSnapshot.newBuilder()
        .setGroupSnapshotId(id)
        .setCreationTime(FakeSnapshot.timestamp(cut))
        .setReadyToUse(members.stream().allMatch(member -> member.ready(now)))
        .addAllSnapshots(members.stream().map(member -> member.message(now)).toList())
        .build();
  }
}
