package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** ListSnapshots and GetSnapshot. */
final class ListSnapshotsCases implements CaseGroup {
  private static final int MADE = 5;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "list-snapshots",
                "Every snapshot is listed once, on one page or on several",
                ListSnapshotsCases::pages,
                "CTRL-LISTSNAP-001",
                "CTRL-LISTSNAP-002",
                "CTRL-LISTSNAP-004",
                "CTRL-LISTSNAP-005",
                "CTRL-LISTSNAP-006",
                "CTRL-LISTSNAP-008",
                "CTRL-LISTSNAP-010",
                "CTRL-LISTSNAP-016",
                "CTRL-LISTSNAP-017")
            .runAlone(),
        Case.of(
            "CTRL-LISTSNAP-007",
            c -> c.refused(() -> list(c, ListSnapshotsRequest.newBuilder().setMaxEntries(-1)))),
        Case.of("CTRL-LISTSNAP-009", ListSnapshotsCases::badTokens),
        Case.of(
            "list-snapshots-filters",
            "Filters let through what they name and nothing else",
            ListSnapshotsCases::filters,
            "CTRL-LISTSNAP-011",
            "CTRL-LISTSNAP-012",
            "CTRL-LISTSNAP-013",
            "CTRL-LISTSNAP-014"),
        Case.of("CTRL-LISTSNAP-018", ListSnapshotsCases::changing),
        Case.of("CTRL-GETSNAP-002", c -> c.refused(() -> get(c, ""))),
        Case.of("CTRL-GETSNAP-003", c -> c.refused(() -> get(c, c.requests().unknownId()))),
        Case.of(
            "get-snapshot",
            "GetSnapshot answers what CreateSnapshot answered",
            c -> {
              Snapshot made = c.make().snapshot(c.make().volume());
              Snapshot got =
                  c.ok("CTRL-GETSNAP-001", () -> get(c, made.getSnapshotId())).getSnapshot();
              c.same("CTRL-GETSNAP-001", made.getSnapshotId(), got.getSnapshotId());
              c.same("CTRL-GETSNAP-004", made.getSourceVolumeId(), got.getSourceVolumeId());
              c.same("CTRL-GETSNAP-004", made.getCreationTime(), got.getCreationTime());
              c.same("CTRL-GETSNAP-004", made.getGroupSnapshotId(), got.getGroupSnapshotId());
              c.check("CTRL-GETSNAP-004", got.getReadyToUse(), "ready_to_use, as before", got);
            },
            "CTRL-GETSNAP-001",
            "CTRL-GETSNAP-004"));
  }

  private static void pages(CaseContext c) {
    Volume volume = c.make().volume();
    Set<String> made = new HashSet<>();
    for (int i = 0; i < MADE; i++) {
      made.add(c.make().snapshot(volume).getSnapshotId());
    }
    ListSnapshotsResponse unlimited =
        c.ok("CTRL-LISTSNAP-001", () -> list(c, ListSnapshotsRequest.newBuilder()));
    c.check(
        "CTRL-LISTSNAP-006",
        unlimited.getEntriesCount() > 0,
        "snapshots where max_entries is 0",
        unlimited);
    List<Snapshot> whole = all(c, ListSnapshotsRequest.newBuilder());
    List<String> ids = ids(whole);
    c.check("CTRL-LISTSNAP-002", ids.containsAll(made), "all of " + made, ids);
    c.check(
        "CTRL-LISTSNAP-002", new HashSet<>(ids).size() == ids.size(), "each snapshot once", ids);
    for (Snapshot snapshot : whole) {
      c.check(
          "CTRL-LISTSNAP-017",
          !snapshot.getSnapshotId().isEmpty()
              && !snapshot.getSourceVolumeId().isEmpty()
              && snapshot.hasCreationTime(),
          "snapshot_id, source_volume_id and creation_time",
          snapshot);
      if (made.contains(snapshot.getSnapshotId())) {
        c.check("CTRL-LISTSNAP-016", snapshot.getReadyToUse(), "ready_to_use", snapshot);
      }
    }
    List<ListSnapshotsResponse> pages =
        Listing.snapshots(c, ListSnapshotsRequest.newBuilder().setMaxEntries(2).build());
    List<String> paged = new ArrayList<>();
    for (ListSnapshotsResponse page : pages) {
      int entries = page.getEntriesCount();
      c.check("CTRL-LISTSNAP-004", entries <= 2, "two entries at most", entries);
      page.getEntriesList().forEach(entry -> paged.add(entry.getSnapshot().getSnapshotId()));
    }
    c.check(
        "CTRL-LISTSNAP-005",
        !pages.get(0).getNextToken().isEmpty(),
        "a next_token, since there are " + ids.size(),
        "none");
    c.check(
        "CTRL-LISTSNAP-008",
        paged.size() == ids.size() && new HashSet<>(paged).equals(new HashSet<>(ids)),
        "the pages together are the whole list " + ids,
        paged);
    c.check(
        "CTRL-LISTSNAP-010",
        pages.get(pages.size() - 1).getNextToken().isEmpty(),
        "no token on the last page",
        "a token without end");
  }

  private static void badTokens(CaseContext c) {
    for (String token : Tokens.BAD) {
      c.refused(() -> list(c, ListSnapshotsRequest.newBuilder().setStartingToken(token)));
    }
    Outcome<ListSnapshotsResponse> past =
        Outcome.of(() -> list(c, ListSnapshotsRequest.newBuilder().setStartingToken(Tokens.PAST)));
    if (past.ok()) {
      Tokens.nothingMore(c, past.answer().getEntriesCount(), past.answer().getNextToken());
    } else {
      c.judge("CTRL-LISTSNAP-009", past, false);
    }
  }

  private static void filters(CaseContext c) {
    Volume one = c.make().volume();
    Volume other = c.make().volume();
    String first = c.make().snapshot(one).getSnapshotId();
    String second = c.make().snapshot(one).getSnapshotId();
    String third = c.make().snapshot(other).getSnapshotId();
    List<Snapshot> ofOne =
        all(c, ListSnapshotsRequest.newBuilder().setSourceVolumeId(one.getVolumeId()));
    c.check(
        "CTRL-LISTSNAP-011",
        ofOne.size() == 2 && ids(ofOne).containsAll(List.of(first, second)),
        "the two snapshots of the volume",
        ids(ofOne));
    c.same(
        "CTRL-LISTSNAP-012",
        List.of(third),
        ids(all(c, ListSnapshotsRequest.newBuilder().setSnapshotId(third))));
    String unknown = c.requests().unknownId();
    c.same(
        "CTRL-LISTSNAP-013",
        List.of(),
        ids(all(c, ListSnapshotsRequest.newBuilder().setSnapshotId(unknown))));
    c.same(
        "CTRL-LISTSNAP-013",
        List.of(),
        ids(all(c, ListSnapshotsRequest.newBuilder().setSourceVolumeId(unknown))));
    ListSnapshotsRequest.Builder both =
        ListSnapshotsRequest.newBuilder().setSourceVolumeId(one.getVolumeId());
    c.same("CTRL-LISTSNAP-014", List.of(first), ids(all(c, both.setSnapshotId(first))));
    c.same("CTRL-LISTSNAP-014", List.of(), ids(all(c, both.setSnapshotId(third))));
  }

  private static void changing(CaseContext c) {
    Volume volume = c.make().volume();
    for (int i = 0; i < 3; i++) {
      c.make().snapshot(volume);
    }
    ListSnapshotsRequest.Builder request = ListSnapshotsRequest.newBuilder().setMaxEntries(1);
    ListSnapshotsResponse first = c.prepare(() -> list(c, request));
    c.need(first.getEntriesCount() > 0, "the list is empty");
    // The one that the token stands on may be gone before the next page is asked for.
    Snapshot made = c.make().snapshot(volume);
    c.prepare(() -> SnapshotCases.delete(c, made.getSnapshotId()));
    c.answers("CTRL-LISTSNAP-018", () -> list(c, request.setStartingToken(first.getNextToken())));
  }

  static List<Snapshot> all(CaseContext c, ListSnapshotsRequest.Builder filter) {
    return Listing.snapshots(c, filter.build()).stream()
        .flatMap(page -> page.getEntriesList().stream())
        .map(ListSnapshotsResponse.Entry::getSnapshot)
        .toList();
  }

  private static List<String> ids(List<Snapshot> snapshots) {
    return snapshots.stream().map(Snapshot::getSnapshotId).toList();
  }

  private static ListSnapshotsResponse list(CaseContext c, ListSnapshotsRequest.Builder request) {
    return c.controller().listSnapshots(request.build());
  }

  static GetSnapshotResponse get(CaseContext c, String id) {
    return c.controller().getSnapshot(GetSnapshotRequest.newBuilder().setSnapshotId(id).build());
  }
}
