package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Walks lists page by page, as long as a token comes that did not come before. */
final class Listing {
  private static final int MOST_PAGES = 100_000;

  private Listing() {}

  static List<ListVolumesResponse.Entry> volumes(CaseContext c) {
    return volumes(c, 0).stream().flatMap(page -> page.getEntriesList().stream()).toList();
  }

  /** Whether the driver lists on which nodes a volume is. */
  static boolean tellsNodes(CaseContext c) {
    return c.advertises("ctrl:LIST_VOLUMES_PUBLISHED_NODES") && c.advertises("ctrl:LIST_VOLUMES");
  }

  /** The nodes that are listed with a volume. */
  static List<String> nodesOf(CaseContext c, Volume volume) {
    return volumes(c).stream()
        .filter(entry -> entry.getVolume().getVolumeId().equals(volume.getVolumeId()))
        .flatMap(entry -> entry.getStatus().getPublishedNodeIdsList().stream())
        .toList();
  }

  static List<ListVolumesResponse> volumes(CaseContext c, int perPage) {
    List<ListVolumesResponse> pages = new ArrayList<>();
    Set<String> known = new HashSet<>();
    String token = "";
    do {
      ListVolumesRequest request =
          ListVolumesRequest.newBuilder().setMaxEntries(perPage).setStartingToken(token).build();
      ListVolumesResponse page = c.prepare(() -> c.controller().listVolumes(request));
      pages.add(page);
      token = page.getNextToken();
    } while (!token.isEmpty() && known.add(token) && pages.size() < MOST_PAGES);
    return pages;
  }

  static List<ListSnapshotsResponse> snapshots(CaseContext c, ListSnapshotsRequest filter) {
    List<ListSnapshotsResponse> pages = new ArrayList<>();
    Set<String> known = new HashSet<>();
    String token = "";
    do {
      ListSnapshotsRequest request = filter.toBuilder().setStartingToken(token).build();
      ListSnapshotsResponse page = c.prepare(() -> c.controller().listSnapshots(request));
      pages.add(page);
      token = page.getNextToken();
    } while (!token.isEmpty() && known.add(token) && pages.size() < MOST_PAGES);
    return pages;
  }
}
