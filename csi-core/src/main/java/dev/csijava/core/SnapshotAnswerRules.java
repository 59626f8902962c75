package dev.csijava.core;

import com.google.protobuf.Timestamp;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Snapshot;

/** Rules of answers about snapshots. */
final class SnapshotAnswerRules {
  // The end of the year 9999, the last that a Timestamp can name.
  private static final long LAST_SECOND = 253_402_300_799L;
  private static final int LAST_NANO = 999_999_999;

  private SnapshotAnswerRules() {}

  static void add(RuleTable.Builder table) {
    snapshot(table);
    create(table);
    list(table);
    FieldRules r = table.rules();
    table
        .on(GetSnapshotResponse.getDescriptor())
        .field("snapshot", r.required("CTRL-GETSNAP-004"))
        .message(
            MessageRule.onAnswer(
                GetSnapshotRequest.class,
                GetSnapshotResponse.class,
                Rule.ofAnswerPartly("is the snapshot asked for", "CTRL-GETSNAP-001"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getSnapshotId(),
                        answer.getSnapshot().getSnapshotId(),
                        "snapshot.snapshot_id",
                        rule,
                        walk)));
  }

  private static void snapshot(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(Snapshot.getDescriptor())
        .field("snapshot_id", filled(r))
        .field("source_volume_id", filled(r))
        .field("creation_time", filled(r))
        .field("size_bytes", r.notNegative("CTRL-SNAP-016"))
        .field(
            "accessible_topology",
            r.needs(
                view -> view.has(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS),
                "SNAPSHOT_ACCESSIBILITY_CONSTRAINTS",
                "V113-TOPO-001"))
        .message(
            MessageRule.on(
                Snapshot.class,
                Rule.ofAnswer("has an accessible_topology", "V113-TOPO-001"),
                (snapshot, rule, walk) -> {
                  if (snapshot.getAccessibleTopologyCount() == 0
                      && walk.capabilities()
                          .has(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)) {
                    walk.brokenBelow(
                        rule,
                        "accessible_topology",
                        "is missing; the driver has SNAPSHOT_ACCESSIBILITY_CONSTRAINTS");
                  }
                }));
    table
        .on(Timestamp.getDescriptor())
        .message(
            MessageRule.on(
                Timestamp.class,
                Rule.ofAnswerPartly("is a moment after 1970", "CTRL-SNAP-015"),
                (time, rule, walk) -> {
                  if (time.getSeconds() <= 0
                      || time.getSeconds() > LAST_SECOND
                      || time.getNanos() < 0
                      || time.getNanos() > LAST_NANO) {
                    walk.broken(rule, "is not a moment between 1970 and 9999");
                  }
                }));
  }

  private static FieldRule filled(FieldRules r) {
    return r.required(
        "CTRL-SNAP-013",
        "CTRL-LISTSNAP-017",
        "CTRL-GETSNAP-004",
        "GROUP-CREATE-012",
        "GROUP-GET-007");
  }

  private static void create(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(CreateSnapshotResponse.getDescriptor())
        .field("snapshot", r.required("CTRL-SNAP-013"))
        .message(
            created(
                Rule.ofAnswerPartly("is of the source asked for", "CTRL-SNAP-014"),
                (request, answer, rule, walk) ->
                    AnswerChecks.sameId(
                        request.getSourceVolumeId(),
                        answer.getSnapshot().getSourceVolumeId(),
                        "snapshot.source_volume_id",
                        rule,
                        walk)))
        .message(
            created(
                Rule.ofAnswerPartly("belongs to no group", "CTRL-SNAP-023"),
                (request, answer, rule, walk) -> {
                  if (!answer.getSnapshot().getGroupSnapshotId().isEmpty()) {
                    walk.brokenBelow(
                        rule,
                        "snapshot.group_snapshot_id",
                        "is set, but the snapshot was asked for alone");
                  }
                }));
  }

  private static MessageRule created(
      Rule rule, MessageRule.AnswerCheck<CreateSnapshotRequest, CreateSnapshotResponse> check) {
    return MessageRule.onAnswer(
        CreateSnapshotRequest.class, CreateSnapshotResponse.class, rule, check);
  }

  private static void list(RuleTable.Builder table) {
    FieldRules r = table.rules();
    table
        .on(ListSnapshotsResponse.Entry.getDescriptor())
        .field("snapshot", r.required("CTRL-LISTSNAP-017"));
    table
        .on(ListSnapshotsResponse.getDescriptor())
        .message(
            listed(
                Rule.ofAnswer("has no more entries than max_entries", "CTRL-LISTSNAP-004"),
                (request, answer, rule, walk) ->
                    AnswerChecks.pageLength(
                        request.getMaxEntries(), answer.getEntriesCount(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly("has a next_token that moves", "CTRL-LISTSNAP-008"),
                (request, answer, rule, walk) ->
                    AnswerChecks.tokenMoves(
                        request.getStartingToken(), answer.getNextToken(), rule, walk)))
        .message(
            listed(
                Rule.ofAnswerPartly("names no snapshot twice on one page", "CTRL-LISTSNAP-002"),
                (request, answer, rule, walk) ->
                    AnswerChecks.distinct(
                        answer.getEntriesList(),
                        entry -> entry.getSnapshot().getSnapshotId(),
                        "snapshot.snapshot_id",
                        rule,
                        walk)))
        .message(
            listed(
                Rule.ofAnswer(
                    "holds only snapshots of the source_volume_id asked for",
                    "CTRL-LISTSNAP-011",
                    "CTRL-LISTSNAP-014"),
                (request, answer, rule, walk) -> {
                  for (int i = 0; i < filtered(request.getSourceVolumeId(), answer); i++) {
                    AnswerChecks.sameId(
                        request.getSourceVolumeId(),
                        answer.getEntries(i).getSnapshot().getSourceVolumeId(),
                        "entries[" + i + "].snapshot.source_volume_id",
                        rule,
                        walk);
                  }
                }))
        .message(
            listed(
                Rule.ofAnswer(
                    "holds only the snapshot_id asked for",
                    "CTRL-LISTSNAP-012",
                    "CTRL-LISTSNAP-014"),
                (request, answer, rule, walk) -> {
                  for (int i = 0; i < filtered(request.getSnapshotId(), answer); i++) {
                    AnswerChecks.sameId(
                        request.getSnapshotId(),
                        answer.getEntries(i).getSnapshot().getSnapshotId(),
                        "entries[" + i + "].snapshot.snapshot_id",
                        rule,
                        walk);
                  }
                }));
  }

  // How many entries a filter must let through: all, if the caller gave one.
  private static int filtered(String filter, ListSnapshotsResponse answer) {
    return filter.isEmpty() ? 0 : answer.getEntriesCount();
  }

  private static MessageRule listed(
      Rule rule, MessageRule.AnswerCheck<ListSnapshotsRequest, ListSnapshotsResponse> check) {
    return MessageRule.onAnswer(
        ListSnapshotsRequest.class, ListSnapshotsResponse.class, rule, check);
  }
}
