package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;

/**
 * Capability CREATE_DELETE_SNAPSHOT. It promises that volumes can be made from snapshots too.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Snapshots {
  /**
   * Cuts a snapshot, or finds the one that an equal request by the same name made. Answer as soon
   * as the cut is done; callers repeat the call until {@code ready_to_use}. NOT_FOUND for an
   * unknown source.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  CreateSnapshotResponse createSnapshot(CreateSnapshotRequest request, CallContext call);

  /**
   * Deletes a snapshot; OK if the id is unknown. INVALID_ARGUMENT for a member of a group;
   * FAILED_PRECONDITION while it is in use.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call);
}
