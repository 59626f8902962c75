package dev.csijava.testkit.fake;

import com.google.protobuf.BoolValue;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesResponse;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetPluginInfoResponse;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import io.grpc.stub.StreamObserver;

/** The Identity service. */
final class FakeIdentity extends IdentityGrpc.IdentityImplBase {
  private final FakeServices services;

  FakeIdentity(FakeServices services) {
    this.services = services;
  }

  @Override
  public void getPluginInfo(
      GetPluginInfoRequest request, StreamObserver<GetPluginInfoResponse> observer) {
    services.answer.with(
        observer,
        () ->
            GetPluginInfoResponse.newBuilder()
                .setName(services.settings.name)
                .setVendorVersion(services.settings.vendorVersion)
                .build());
  }

  @Override
  public void getPluginCapabilities(
      GetPluginCapabilitiesRequest request,
      StreamObserver<GetPluginCapabilitiesResponse> observer) {
    services.answer.with(observer, this::capabilities);
  }

  @Override
  public void probe(ProbeRequest request, StreamObserver<ProbeResponse> observer) {
    services.answer.with(
        observer,
        () -> ProbeResponse.newBuilder().setReady(BoolValue.of(services.state.ready)).build());
  }

  private GetPluginCapabilitiesResponse capabilities() {
    GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
    services.settings.plugin.stream()
        .sorted()
        .forEach(
            type ->
                reply.addCapabilities(
                    PluginCapability.newBuilder()
                        .setService(PluginCapability.Service.newBuilder().setType(type))));
    services.settings.expansion.forEach(
        type ->
            reply.addCapabilities(
                PluginCapability.newBuilder()
                    .setVolumeExpansion(
                        PluginCapability.VolumeExpansion.newBuilder().setType(type))));
    return reply.build();
  }
}
