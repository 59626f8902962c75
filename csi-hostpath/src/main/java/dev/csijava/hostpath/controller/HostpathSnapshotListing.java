package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.SnapshotListing;
import dev.csijava.core.controller.SnapshotLookup;
import dev.csijava.hostpath.request.Pages;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import java.util.stream.Stream;

/** Lists snapshots and looks single ones up. */
public final class HostpathSnapshotListing implements SnapshotListing, SnapshotLookup {
  private static final Pages PAGES = new Pages("snapshots");

  private final ObjectStore snapshots;

  /**
   * @param snapshots what is listed
   */
  public HostpathSnapshotListing(ObjectStore snapshots) {
    this.snapshots = snapshots;
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    Stream<Record> records =
        snapshots.after(start).filter(snapshot -> isAskedFor(snapshot, request));
    var page = PAGES.cut(records, request.getMaxEntries(), HostpathSnapshotListing::entry);
    return ListSnapshotsResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  /** A filter that is given always counts (rule K13); what fits none is left out, not an error. */
  private static boolean isAskedFor(Record snapshot, ListSnapshotsRequest request) {
    return (request.getSnapshotId().isEmpty() || request.getSnapshotId().equals(snapshot.getId()))
        && (request.getSourceVolumeId().isEmpty()
            || request.getSourceVolumeId().equals(snapshot.getSnapshot().getSourceVolumeId()));
  }

  private static ListSnapshotsResponse.Entry entry(Record snapshot) {
    return ListSnapshotsResponse.Entry.newBuilder()
        .setSnapshot(VolumeMessages.snapshot(snapshot))
        .build();
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request, CallContext call) {
    Record snapshot =
        snapshots
            .byId(request.getSnapshotId())
            .orElseThrow(() -> CsiException.notFound("there is no such snapshot"));
    return GetSnapshotResponse.newBuilder().setSnapshot(VolumeMessages.snapshot(snapshot)).build();
  }
}
