package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
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
import org.jspecify.annotations.Nullable;

/** Lists snapshots and looks single ones up. */
public final class HostpathSnapshotListing implements SnapshotListing, SnapshotLookup {
  private static final Pages PAGES = new Pages("snapshots");

  private final ObjectStore snapshots;
  private final SnapshotMessages messages;

  /**
   * @param snapshots what is listed
   */
  public HostpathSnapshotListing(ObjectStore snapshots, SnapshotMessages messages) {
    this.snapshots = snapshots;
    this.messages = messages;
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    Stream<Record> records =
        candidates(start, request).filter(snapshot -> isAskedFor(snapshot, request));
    var page = PAGES.cut(records, request.getMaxEntries(), this::entry);
    return ListSnapshotsResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  /** The one with the id that is asked for is not searched for among all. */
  private Stream<Record> candidates(@Nullable String start, ListSnapshotsRequest request) {
    return request.getSnapshotId().isEmpty()
        ? snapshots.after(start)
        : snapshots.byId(request.getSnapshotId()).stream()
            .filter(snapshot -> start == null || snapshot.getId().compareTo(start) > 0);
  }

  /** A filter that is given always counts (rule K13); what fits none is left out, not an error. */
  private static boolean isAskedFor(Record snapshot, ListSnapshotsRequest request) {
    return (request.getSnapshotId().isEmpty() || request.getSnapshotId().equals(snapshot.getId()))
        && (request.getSourceVolumeId().isEmpty()
            || request.getSourceVolumeId().equals(snapshot.getSnapshot().getSourceVolumeId()));
  }

  private ListSnapshotsResponse.Entry entry(Record snapshot) {
    return ListSnapshotsResponse.Entry.newBuilder()
        .setSnapshot(messages.snapshot(snapshot))
        .build();
  }

  @Override
  public GetSnapshotResponse getSnapshot(GetSnapshotRequest request, CallContext call) {
    Record snapshot = snapshots.require(request.getSnapshotId());
    return GetSnapshotResponse.newBuilder().setSnapshot(messages.snapshot(snapshot)).build();
  }
}
