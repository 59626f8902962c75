package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ListSnapshotsRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The ids of everything that a driver says it holds; an empty set where it does not list.
 *
 * @param volumes volume ids
 * @param snapshots snapshot ids
 */
record Holdings(Set<String> volumes, Set<String> snapshots) {

  /** What there is now; what a list names twice fails the row. */
  static Holdings of(CaseContext c, String row) {
    List<String> volumes =
        c.advertises("ctrl:LIST_VOLUMES")
            ? Listing.volumes(c).stream().map(entry -> entry.getVolume().getVolumeId()).toList()
            : List.of();
    List<String> snapshots =
        c.advertises("ctrl:LIST_SNAPSHOTS")
            ? Listing.snapshots(c, ListSnapshotsRequest.getDefaultInstance()).stream()
                .flatMap(page -> page.getEntriesList().stream())
                .map(entry -> entry.getSnapshot().getSnapshotId())
                .toList()
            : List.of();
    return new Holdings(unique(c, row, volumes), unique(c, row, snapshots));
  }

  private static Set<String> unique(CaseContext c, String row, List<String> ids) {
    Set<String> unique = new LinkedHashSet<>(ids);
    c.check(row, unique.size() == ids.size(), "each id once in a list", ids);
    return unique;
  }

  /** What is here and was not there. */
  Holdings since(Holdings before) {
    return new Holdings(minus(volumes, before.volumes()), minus(snapshots, before.snapshots()));
  }

  /** The driver, where it lists, must have made these since then and nothing else. */
  void mustHaveAdded(CaseContext c, String row, Set<String> newVolumes, Set<String> newSnapshots) {
    Holdings now = of(c, row);
    Holdings added = now.since(this);
    Holdings lost = since(now);
    if (c.advertises("ctrl:LIST_VOLUMES")) {
      same(c, row, "volumes more than before", newVolumes, added.volumes());
      same(c, row, "volumes less than before", Set.of(), lost.volumes());
    }
    if (c.advertises("ctrl:LIST_SNAPSHOTS")) {
      same(c, row, "snapshots more than before", newSnapshots, added.snapshots());
      same(c, row, "snapshots less than before", Set.of(), lost.snapshots());
    }
  }

  private static void same(
      CaseContext c, String row, String what, Set<String> expected, Set<String> came) {
    c.check(
        row,
        expected.equals(came),
        expected + " as " + what + ", as long as nobody else makes or deletes any",
        came);
  }

  private static Set<String> minus(Set<String> these, Set<String> those) {
    return these.stream().filter(id -> !those.contains(id)).collect(Collectors.toSet());
  }
}
