package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.Volume;
import java.util.List;

/** Where snapshots lie (1.13), and those that belong to a group. */
final class SnapshotTopologyCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "V113-TOPO-001",
            c -> {
              Volume volume = c.make().volume();
              Snapshot made = c.ok(() -> create(c, c.requests().snapshot(volume.getVolumeId())));
              int places = made.getAccessibleTopologyCount();
              c.check(places > 0, "one topology or more", "none");
            }),
        Case.of(
            "V113-TOPO-002",
            c -> {
              Volume volume = c.make().volume();
              c.refused(
                  () ->
                      create(
                          c,
                          c.requests()
                              .snapshot(volume.getVolumeId())
                              .setAccessibilityRequirements(nowhere(c))));
            }),
        Case.of(
            "V113-TOPO-003",
            c -> {
              c.needs("plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS");
              Snapshot snapshot = c.make().snapshot(c.make().volume());
              c.refused(
                  () ->
                      CreateVolumeCases.createVolume(
                          c,
                          SnapshotCases.from(c, snapshot.getSnapshotId())
                              .setAccessibilityRequirements(nowhere(c))));
            }),
        Case.of(
            "snapshot-of-group",
            "A member of a group names its group, and goes with it only",
            c -> {
              Volume volume = c.make().volume();
              var group = c.make().group(volume);
              Snapshot member = group.getSnapshots(0);
              c.same("CTRL-SNAP-024", group.getGroupSnapshotId(), member.getGroupSnapshotId());
              reported(c, member.getSnapshotId(), group.getGroupSnapshotId());
              var outcome = Outcome.of(() -> SnapshotCases.delete(c, member.getSnapshotId()));
              c.need(!outcome.ok(), "the driver lets members be deleted one by one");
              c.judge("CTRL-DELSNAP-004", outcome, false);
            },
            "CTRL-SNAP-024",
            "CTRL-DELSNAP-004"),
        Case.of(
            "CTRL-GETSNAP-006",
            c -> {
              c.check(
                  c.advertises("ctrl:GET_SNAPSHOT"),
                  "GET_SNAPSHOT beside group snapshots",
                  c.driver().words());
            }));
  }

  /** Wherever else a member can be asked for, it names its group as well. */
  private static void reported(CaseContext c, String member, String group) {
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      ListSnapshotsRequest one = ListSnapshotsRequest.newBuilder().setSnapshotId(member).build();
      Listing.snapshots(c, one).stream()
          .flatMap(page -> page.getEntriesList().stream())
          .forEach(e -> c.same("CTRL-SNAP-024", group, e.getSnapshot().getGroupSnapshotId()));
    }
    if (c.advertises("ctrl:GET_SNAPSHOT")) {
      GetSnapshotRequest one = GetSnapshotRequest.newBuilder().setSnapshotId(member).build();
      Snapshot got = c.prepare(() -> c.controller().getSnapshot(one)).getSnapshot();
      c.same("CTRL-SNAP-024", group, got.getGroupSnapshotId());
    }
  }

  private static TopologyRequirement nowhere(CaseContext c) {
    Topology here = CreateVolumeTopologyCases.here(c);
    return TopologyRequirement.newBuilder()
        .addRequisite(CreateVolumeTopologyCases.elsewhere(here))
        .build();
  }

  private static Snapshot create(CaseContext c, CreateSnapshotRequest.Builder request) {
    return c.controller().createSnapshot(request.build()).getSnapshot();
  }
}
