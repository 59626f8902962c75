package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import dev.csijava.spec.v1.Volume;
import java.util.ArrayList;
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
              TopologyRequirement nowhere = nowhere(c);
              Outcome<?> outcome =
                  Outcome.of(
                      () ->
                          create(
                              c,
                              c.requests()
                                  .snapshot(volume.getVolumeId())
                                  .setAccessibilityRequirements(nowhere)));
              CreateVolumeTopologyCases.needNoNames(c, nowhere.getRequisite(0), outcome);
              c.judge("V113-TOPO-002", outcome, false);
            }),
        Case.of(
            "V113-TOPO-003",
            c -> {
              c.needs("plugin:VOLUME_ACCESSIBILITY_CONSTRAINTS");
              Snapshot snapshot = c.make().snapshot(c.make().volume());
              TopologyRequirement nowhere = nowhere(c);
              Outcome<?> outcome =
                  Outcome.of(
                      () ->
                          CreateVolumeCases.createVolume(
                              c,
                              SnapshotCases.from(c, snapshot.getSnapshotId())
                                  .setAccessibilityRequirements(nowhere)));
              CreateVolumeTopologyCases.needNoNames(c, nowhere.getRequisite(0), outcome);
              c.judge("V113-TOPO-003", outcome, false);
            }),
        Case.of(
            "snapshot-of-group",
            "A member of a group names its group, and goes with it only",
            c -> {
              Volume volume = c.make().volume();
              var group = c.make().group(volume);
              Snapshot member = group.getSnapshots(0);
              c.same("CTRL-SNAP-024", group.getGroupSnapshotId(), member.getGroupSnapshotId());
              boolean named = reported(c, member.getSnapshotId(), group.getGroupSnapshotId());
              var outcome = Outcome.of(() -> SnapshotCases.delete(c, member.getSnapshotId()));
              c.check(
                  "CTRL-SNAP-024",
                  named || outcome.ok(),
                  "the group's id wherever the member is reported, or a member that can be deleted",
                  outcome);
              c.need(!outcome.ok(), "the driver lets members be deleted one by one");
              c.judge("CTRL-DELSNAP-004", outcome, false);
            },
            "CTRL-SNAP-024",
            "CTRL-DELSNAP-004"),
        Case.of("CTRL-GETSNAP-006", SnapshotTopologyCases::membersOneByOne));
  }

  /** A SHOULD about an RPC that the specification still calls alpha: to lack it is no fault. */
  private static void membersOneByOne(CaseContext c) {
    c.need(
        c.advertises("ctrl:GET_SNAPSHOT"),
        "ctrl:GET_SNAPSHOT is not advertised; beside group snapshots it SHOULD be, but is alpha");
    for (Snapshot member :
        c.make().group(c.make().volume(), c.make().volume()).getSnapshotsList()) {
      GetSnapshotRequest one =
          GetSnapshotRequest.newBuilder().setSnapshotId(member.getSnapshotId()).build();
      Snapshot got = c.ok(() -> c.controller().getSnapshot(one)).getSnapshot();
      c.same("CTRL-GETSNAP-006", member.getSnapshotId(), got.getSnapshotId());
      c.same("CTRL-GETSNAP-006", member.getSourceVolumeId(), got.getSourceVolumeId());
    }
  }

  /**
   * Wherever else a member can be asked for, it names its group or none.
   *
   * @return whether it names its group everywhere; else it must be deletable alone
   */
  private static boolean reported(CaseContext c, String member, String group) {
    List<String> named = new ArrayList<>();
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      ListSnapshotsRequest one = ListSnapshotsRequest.newBuilder().setSnapshotId(member).build();
      Listing.snapshots(c, one).stream()
          .flatMap(page -> page.getEntriesList().stream())
          .forEach(e -> named.add(e.getSnapshot().getGroupSnapshotId()));
    }
    if (c.advertises("ctrl:GET_SNAPSHOT")) {
      GetSnapshotRequest one = GetSnapshotRequest.newBuilder().setSnapshotId(member).build();
      Snapshot got = c.prepare(() -> c.controller().getSnapshot(one)).getSnapshot();
      named.add(got.getGroupSnapshotId());
    }
    for (String name : named) {
      c.check("CTRL-SNAP-024", name.equals(group) || name.isEmpty(), "the group " + group, name);
    }
    return named.stream().allMatch(group::equals);
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
