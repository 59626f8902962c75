package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;

/**
 * Capability LIST_SNAPSHOTS.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface SnapshotListing {
  /**
   * Lists snapshots in a stable order; filters are mandatory once given, and one that matches
   * nothing gives an empty list. A token that was not handed out is ABORTED.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext call);
}
