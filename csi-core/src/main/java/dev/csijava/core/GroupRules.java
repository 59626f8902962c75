package dev.csijava.core;

import com.google.common.collect.ImmutableMultiset;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;

/** Rules of the GroupController service. */
final class GroupRules {
  private GroupRules() {}

  /**
   * That {@code snapshot_ids} must be given is the driver's to check (GROUP-DELETE-003,
   * GROUP-GET-003), after it has looked the group up: csi-sanity leaves them out for an unknown
   * group, and expects OK from the deletion and NOT_FOUND from the query.
   */
  static void requests(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CreateVolumeGroupSnapshotRequest.getDescriptor())
        .field("name", r.required("GROUP-CREATE-002"), ControllerRules.name(r, "GROUP-CREATE-022"))
        .field(
            "source_volume_ids",
            r.requiredList("GROUP-CREATE-003"),
            r.noEmptyElements("GEN-FIELD-003"));
    table
        .on(DeleteVolumeGroupSnapshotRequest.getDescriptor())
        .field("group_snapshot_id", r.required("GROUP-DELETE-002"))
        .field("snapshot_ids", r.noEmptyElements("GEN-FIELD-003"));
    table
        .on(GetVolumeGroupSnapshotRequest.getDescriptor())
        .field("group_snapshot_id", r.required("GROUP-GET-002"))
        .field("snapshot_ids", r.noEmptyElements("GEN-FIELD-003"));
  }

  static void answers(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(GroupControllerServiceCapability.getDescriptor())
        .field("rpc", r.required("GEN-FIELD-004"));
    table
        .on(VolumeGroupSnapshot.getDescriptor())
        .field("group_snapshot_id", r.required("GROUP-CREATE-011", "GROUP-GET-007"))
        .field("creation_time", r.required("GROUP-CREATE-011", "GROUP-GET-007"))
        .field("snapshots", r.requiredList("GROUP-CREATE-012", "GROUP-GET-007"))
        .message(
            MessageRule.on(
                VolumeGroupSnapshot.class,
                Rule.ofAnswer("has members that name the group", "GROUP-CREATE-013"),
                GroupRules::checkMembers))
        .message(
            MessageRule.on(
                VolumeGroupSnapshot.class,
                Rule.ofAnswer("is ready only if all members are", "GROUP-CREATE-014"),
                GroupRules::checkReady));
    table
        .on(CreateVolumeGroupSnapshotResponse.getDescriptor())
        .field("group_snapshot", r.required("GROUP-CREATE-011"))
        .message(
            MessageRule.onAnswer(
                CreateVolumeGroupSnapshotRequest.class,
                CreateVolumeGroupSnapshotResponse.class,
                Rule.ofAnswer("has one snapshot of each source volume", "GROUP-CREATE-012"),
                GroupRules::checkSources));
    table
        .on(GetVolumeGroupSnapshotResponse.getDescriptor())
        .field("group_snapshot", r.required("GROUP-GET-007"))
        .message(
            MessageRule.onAnswer(
                GetVolumeGroupSnapshotRequest.class,
                GetVolumeGroupSnapshotResponse.class,
                Rule.ofAnswer("is the group asked for", "GROUP-GET-007"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getGroupSnapshotId(),
                        answer.getGroupSnapshot().getGroupSnapshotId(),
                        "group_snapshot.group_snapshot_id",
                        rule,
                        walk)));
  }

  private static void checkMembers(VolumeGroupSnapshot group, Rule rule, RuleWalk walk) {
    for (int i = 0; i < group.getSnapshotsCount(); i++) {
      AnswerChecks.sameId(
          group.getGroupSnapshotId(),
          group.getSnapshots(i).getGroupSnapshotId(),
          "snapshots[" + i + "].group_snapshot_id",
          rule,
          walk);
    }
  }

  private static void checkReady(VolumeGroupSnapshot group, Rule rule, RuleWalk walk) {
    if (group.getReadyToUse()
        && !group.getSnapshotsList().stream().allMatch(Snapshot::getReadyToUse)) {
      walk.brokenBelow(rule, "ready_to_use", "is true while a member is not ready");
    }
  }

  private static void checkSources(
      CreateVolumeGroupSnapshotRequest request,
      CreateVolumeGroupSnapshotResponse answer,
      Rule rule,
      RuleWalk walk) {
    ImmutableMultiset<String> asked = ImmutableMultiset.copyOf(request.getSourceVolumeIdsList());
    ImmutableMultiset<String> cut =
        answer.getGroupSnapshot().getSnapshotsList().stream()
            .map(Snapshot::getSourceVolumeId)
            .collect(ImmutableMultiset.toImmutableMultiset());
    if (!cut.equals(asked)) {
      walk.brokenBelow(
          rule, "group_snapshot.snapshots", "does not hold one snapshot of each source volume");
    }
  }
}
