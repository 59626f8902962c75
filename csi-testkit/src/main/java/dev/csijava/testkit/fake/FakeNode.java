package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import io.grpc.stub.StreamObserver;

/** The Node service. */
final class FakeNode extends NodeGrpc.NodeImplBase {
  private final FakeServices services;
  private final StageCalls staging;
  private final PublishCalls publishing;
  private final NodeVolumeCalls volumes;
  private final NodeAbout about;

  FakeNode(FakeServices services) {
    this.services = services;
    this.staging = new StageCalls(services);
    this.publishing = new PublishCalls(services);
    this.volumes = new NodeVolumeCalls(services);
    this.about = new NodeAbout(services);
  }

  @Override
  public void nodeStageVolume(
      NodeStageVolumeRequest request, StreamObserver<NodeStageVolumeResponse> observer) {
    services.answer.with(observer, () -> staging.stage(request));
  }

  @Override
  public void nodeUnstageVolume(
      NodeUnstageVolumeRequest request, StreamObserver<NodeUnstageVolumeResponse> observer) {
    services.answer.with(observer, () -> staging.unstage(request));
  }

  @Override
  public void nodePublishVolume(
      NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> observer) {
    services.answer.with(observer, () -> publishing.publish(request));
  }

  @Override
  public void nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, StreamObserver<NodeUnpublishVolumeResponse> observer) {
    services.answer.with(observer, () -> publishing.unpublish(request));
  }

  @Override
  public void nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> observer) {
    services.answer.with(observer, () -> volumes.stats(request));
  }

  @Override
  public void nodeExpandVolume(
      NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> observer) {
    services.answer.with(observer, () -> volumes.expand(request));
  }

  @Override
  public void nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, StreamObserver<NodeGetVolumeHealthResponse> observer) {
    services.answer.with(observer, () -> volumes.health(request));
  }

  @Override
  public void nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, StreamObserver<NodeGetStorageHealthResponse> observer) {
    services.answer.with(observer, () -> volumes.storageHealth(request));
  }

  @Override
  public void nodeGetCapabilities(
      NodeGetCapabilitiesRequest request, StreamObserver<NodeGetCapabilitiesResponse> observer) {
    services.answer.with(observer, () -> about.capabilities(request));
  }

  @Override
  public void nodeGetInfo(
      NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> observer) {
    services.answer.with(observer, () -> about.info(request));
  }
}
