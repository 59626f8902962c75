package dev.csijava.benchmarks;

import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import io.grpc.stub.StreamObserver;

/** NodePublishVolume as grpc-java alone would serve it, without any framework. */
final class BareNode extends NodeGrpc.NodeImplBase {
  @Override
  public void nodePublishVolume(
      NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> answer) {
    answer.onNext(NodePublishVolumeResponse.getDefaultInstance());
    answer.onCompleted();
  }
}
