package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetSnapshotResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import io.grpc.stub.StreamObserver;

/** The Controller service. */
final class FakeController extends ControllerGrpc.ControllerImplBase {
  private final FakeServices services;
  private final VolumeCalls volumes;
  private final AttachCalls attachments;
  private final ListingCalls listings;
  private final VolumeChangeCalls changes;
  private final SnapshotCalls snapshots;

  FakeController(FakeServices services) {
    this.services = services;
    this.volumes = new VolumeCalls(services);
    this.attachments = new AttachCalls(services);
    this.listings = new ListingCalls(services);
    this.changes = new VolumeChangeCalls(services);
    this.snapshots = new SnapshotCalls(services);
  }

  @Override
  public void createVolume(
      CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
    services.answer.with(observer, () -> volumes.create(request));
  }

  @Override
  public void deleteVolume(
      DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
    services.answer.with(observer, () -> volumes.delete(request));
  }

  @Override
  public void controllerPublishVolume(
      ControllerPublishVolumeRequest request,
      StreamObserver<ControllerPublishVolumeResponse> observer) {
    services.answer.with(observer, () -> attachments.publish(request));
  }

  @Override
  public void controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request,
      StreamObserver<ControllerUnpublishVolumeResponse> observer) {
    services.answer.with(observer, () -> attachments.unpublish(request));
  }

  @Override
  public void listVolumes(
      ListVolumesRequest request, StreamObserver<ListVolumesResponse> observer) {
    services.answer.with(observer, () -> listings.list(request));
  }

  @Override
  public void controllerGetVolume(
      ControllerGetVolumeRequest request, StreamObserver<ControllerGetVolumeResponse> observer) {
    services.answer.with(observer, () -> listings.get(request));
  }

  @Override
  public void controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request,
      StreamObserver<ControllerGetVolumeHealthResponse> observer) {
    services.answer.with(observer, () -> listings.getHealth(request));
  }

  @Override
  public void controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request,
      StreamObserver<ControllerListVolumeHealthResponse> observer) {
    services.answer.with(observer, () -> listings.listHealth(request));
  }

  @Override
  public void validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request,
      StreamObserver<ValidateVolumeCapabilitiesResponse> observer) {
    services.answer.with(observer, () -> changes.validate(request));
  }

  @Override
  public void getCapacity(
      GetCapacityRequest request, StreamObserver<GetCapacityResponse> observer) {
    services.answer.with(observer, () -> changes.capacity(request));
  }

  @Override
  public void controllerExpandVolume(
      ControllerExpandVolumeRequest request,
      StreamObserver<ControllerExpandVolumeResponse> observer) {
    services.answer.with(observer, () -> changes.expand(request));
  }

  @Override
  public void controllerModifyVolume(
      ControllerModifyVolumeRequest request,
      StreamObserver<ControllerModifyVolumeResponse> observer) {
    services.answer.with(observer, () -> changes.modify(request));
  }

  @Override
  public void createSnapshot(
      CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> observer) {
    services.answer.with(observer, () -> snapshots.create(request));
  }

  @Override
  public void deleteSnapshot(
      DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> observer) {
    services.answer.with(observer, () -> snapshots.delete(request));
  }

  @Override
  public void listSnapshots(
      ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> observer) {
    services.answer.with(observer, () -> snapshots.list(request));
  }

  @Override
  public void getSnapshot(
      GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> observer) {
    services.answer.with(observer, () -> snapshots.get(request));
  }

  @Override
  public void controllerGetCapabilities(
      ControllerGetCapabilitiesRequest request,
      StreamObserver<ControllerGetCapabilitiesResponse> observer) {
    services.answer.with(observer, this::capabilities);
  }

  private ControllerGetCapabilitiesResponse capabilities() {
    FakeServices.gate(services.settings.controllerService(), "ControllerGetCapabilities");
    ControllerGetCapabilitiesResponse.Builder reply =
        ControllerGetCapabilitiesResponse.newBuilder();
    services.settings.controller.stream()
        .sorted()
        .forEach(
            type ->
                reply.addCapabilities(
                    ControllerServiceCapability.newBuilder()
                        .setRpc(ControllerServiceCapability.RPC.newBuilder().setType(type))));
    return reply.build();
  }
}
