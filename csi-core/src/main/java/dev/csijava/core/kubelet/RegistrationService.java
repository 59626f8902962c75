package dev.csijava.core.kubelet;

import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.util.function.Consumer;

/** Answers kubelet; runs on the event loop, so it hands on what it is told. */
final class RegistrationService extends RegistrationGrpc.RegistrationImplBase {
  private final PluginInfo info;
  private final Consumer<RegistrationStatus> listener;

  RegistrationService(PluginInfo info, Consumer<RegistrationStatus> listener) {
    this.info = info;
    this.listener = listener;
  }

  @Override
  public void getInfo(InfoRequest request, StreamObserver<PluginInfo> reply) {
    reply.onNext(info);
    reply.onCompleted();
  }

  @Override
  public void notifyRegistrationStatus(
      RegistrationStatus status, StreamObserver<RegistrationStatusResponse> reply) {
    // First the answer: after a refusal the listener ends this connection.
    reply.onNext(RegistrationStatusResponse.getDefaultInstance());
    reply.onCompleted();
    listener.accept(status);
  }
}
