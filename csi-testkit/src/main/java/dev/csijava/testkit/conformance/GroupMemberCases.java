package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;

/** DeleteVolumeGroupSnapshot and GetVolumeGroupSnapshot. */
final class GroupMemberCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GROUP-DELETE-001", c -> c.ok(() -> delete(c, group(c)))),
        Case.of(
            "GROUP-DELETE-002",
            c -> c.refused(() -> delete(c, "", GroupMemberCases.ids(group(c))))),
        Case.of(
            "GROUP-DELETE-003",
            c -> c.refused(() -> delete(c, group(c).getGroupSnapshotId(), List.of()))),
        Case.of("GROUP-DELETE-004", GroupMemberCases::deleteUnknown),
        Case.of("GROUP-DELETE-005", GroupMemberCases::membersAreGone),
        Case.of("GROUP-DELETE-006", c -> mismatch(c, "GROUP-DELETE-006", true)),
        Case.of("GROUP-DELETE-007", c -> mismatch(c, "GROUP-DELETE-007", true)),
        Case.of("GROUP-DELETE-008", GroupMemberCases::inUse),
        Case.of("GROUP-GET-001", c -> c.ok(() -> get(c, group(c)))),
        Case.of("GROUP-GET-002", c -> c.refused(() -> get(c, "", GroupMemberCases.ids(group(c))))),
        Case.of(
            "GROUP-GET-003",
            c -> c.refused(() -> get(c, group(c).getGroupSnapshotId(), List.of()))),
        Case.of(
            "GROUP-GET-004",
            c ->
                c.refused(
                    () -> get(c, c.requests().unknownId(), List.of(c.requests().unknownId())))),
        Case.of("GROUP-GET-005", c -> mismatch(c, "GROUP-GET-005", false)),
        Case.of("GROUP-GET-006", c -> mismatch(c, "GROUP-GET-006", false)),
        Case.of("GROUP-GET-007", GroupMemberCases::current));
  }

  static DeleteVolumeGroupSnapshotResponse delete(CaseContext c, String id, List<String> members) {
    return c.group()
        .deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addAllSnapshotIds(members)
                .build());
  }

  static GetVolumeGroupSnapshotResponse get(CaseContext c, String id, List<String> members) {
    return c.group()
        .getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest.newBuilder()
                .setGroupSnapshotId(id)
                .addAllSnapshotIds(members)
                .build());
  }

  private static DeleteVolumeGroupSnapshotResponse delete(
      CaseContext c, VolumeGroupSnapshot group) {
    return delete(c, group.getGroupSnapshotId(), ids(group));
  }

  private static GetVolumeGroupSnapshotResponse get(CaseContext c, VolumeGroupSnapshot group) {
    return get(c, group.getGroupSnapshotId(), ids(group));
  }

  private static VolumeGroupSnapshot group(CaseContext c) {
    return c.make().group(c.make().volume(), c.make().volume());
  }

  private static List<String> ids(VolumeGroupSnapshot group) {
    return List.copyOf(GroupCases.ids(group));
  }

  private static void deleteUnknown(CaseContext c) {
    String unknown = c.requests().unknownId();
    c.ok(() -> delete(c, unknown, List.of(c.requests().unknownId())));
    VolumeGroupSnapshot group = group(c);
    for (int i = 0; i < 3; i++) {
      c.ok(() -> delete(c, group));
    }
  }

  private static void membersAreGone(CaseContext c) {
    VolumeGroupSnapshot group = group(c);
    c.ok(() -> delete(c, group));
    Outcome<?> found = Outcome.of(() -> get(c, group));
    c.check(found.code() == Status.Code.NOT_FOUND, "NOT_FOUND for the group", found);
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      for (String member : ids(group)) {
        int left =
            c.controller()
                .listSnapshots(ListSnapshotsRequest.newBuilder().setSnapshotId(member).build())
                .getEntriesCount();
        c.same("GROUP-DELETE-005", 0, left);
      }
    }
  }

  /** Refused only if the driver can see that the ids are wrong: so OK is noted, and skipped. */
  private static void mismatch(CaseContext c, String row, boolean deletes) {
    VolumeGroupSnapshot group = group(c);
    List<String> wrong = new ArrayList<>(ids(group));
    wrong.set(0, c.requests().unknownId());
    Outcome<?> outcome =
        Outcome.of(
            () ->
                deletes
                    ? delete(c, group.getGroupSnapshotId(), wrong)
                    : get(c, group.getGroupSnapshotId(), wrong));
    c.need(!outcome.ok(), "the driver did not see that the ids are not the members");
    c.judge(row, outcome, false);
    c.check(row, Outcome.of(() -> get(c, group)).ok(), "the group is still there", "it is not");
    if (deletes) {
      whole(c, row, group);
    }
  }

  private static void inUse(CaseContext c) {
    VolumeGroupSnapshot group = group(c);
    Snapshot member = group.getSnapshots(0);
    c.prepare(
        () ->
            c.controller()
                .createVolume(
                    c.requests()
                        .volume()
                        .setVolumeContentSource(Requests.fromSnapshot(member.getSnapshotId()))
                        .build()));
    Outcome<?> outcome = Outcome.of(() -> delete(c, group));
    c.need(!outcome.ok(), "the driver keeps volumes apart from the snapshots they were made from");
    c.judge("GROUP-DELETE-008", outcome, false);
    c.check(Outcome.of(() -> get(c, group)).ok(), "the group is still there", "it is not");
    whole(c, "GROUP-DELETE-008", group);
  }

  /** Volumes can be made from all members. */
  private static void whole(CaseContext c, String row, VolumeGroupSnapshot group) {
    for (String member : ids(group)) {
      Outcome<?> restored =
          Outcome.of(() -> CreateVolumeCases.createVolume(c, SnapshotCases.from(c, member)));
      c.check(row, restored.ok(), "a member that can be restored", restored);
    }
  }

  private static void current(CaseContext c) {
    VolumeGroupSnapshot group = group(c);
    VolumeGroupSnapshot found = c.ok(() -> get(c, group)).getGroupSnapshot();
    c.same("GROUP-GET-007", group.getGroupSnapshotId(), found.getGroupSnapshotId());
    c.same("GROUP-GET-007", group.getCreationTime(), found.getCreationTime());
    c.same("GROUP-GET-007", GroupCases.ids(group), GroupCases.ids(found));
    c.check(found.getReadyToUse(), "ready_to_use, as CreateVolumeGroupSnapshot said", found);
    for (Snapshot member : found.getSnapshotsList()) {
      c.check(
          !member.getSourceVolumeId().isEmpty() && member.hasCreationTime(),
          "a complete snapshot",
          member);
    }
  }
}
