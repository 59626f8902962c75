package dev.csijava.core.group;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotResponse;

/**
 * Capability CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface GroupSnapshots {
  /**
   * Cuts snapshots of several volumes at one point in time: all of them or none.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  CreateVolumeGroupSnapshotResponse createVolumeGroupSnapshot(
      CreateVolumeGroupSnapshotRequest request, CallContext call);

  /**
   * Deletes a group and its snapshots; OK if the id is unknown.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request, CallContext call);

  /**
   * The present state of a group. NOT_FOUND if it does not exist.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  GetVolumeGroupSnapshotResponse getVolumeGroupSnapshot(
      GetVolumeGroupSnapshotRequest request, CallContext call);
}
