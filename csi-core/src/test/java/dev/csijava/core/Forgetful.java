package dev.csijava.core;

import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;

/** Fails whatever is to be deleted or detached. */
final class Forgetful extends EveryCapability {
  private final CsiException failure;

  private Forgetful(CsiException failure) {
    this.failure = failure;
  }

  static CsiDriver driver(CsiException failure) {
    return new Forgetful(failure).driver().build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    throw failure;
  }

  @Override
  public DeleteSnapshotResponse deleteSnapshot(DeleteSnapshotRequest request, CallContext call) {
    throw failure;
  }

  @Override
  public DeleteVolumeGroupSnapshotResponse deleteVolumeGroupSnapshot(
      DeleteVolumeGroupSnapshotRequest request, CallContext call) {
    throw failure;
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request, CallContext call) {
    throw failure;
  }

  @Override
  public ListSnapshotsResponse listSnapshots(ListSnapshotsRequest request, CallContext call) {
    throw failure;
  }
}
