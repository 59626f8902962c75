package dev.csijava.testkit.fake;

import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.registration.RegistrationStatusResponse;
import io.grpc.ServerInterceptor;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A registration socket beside a driver. */
final class FakeRegistrar implements AutoCloseable {
  private static final ServerInterceptor NOTHING =
      new ServerInterceptor() {
        @Override
        public <Q, A> io.grpc.ServerCall.Listener<Q> interceptCall(
            io.grpc.ServerCall<Q, A> call,
            io.grpc.Metadata headers,
            io.grpc.ServerCallHandler<Q, A> next) {
          return next.startCall(call, headers);
        }
      };

  private final Path socket;
  private final UnixServer server;

  FakeRegistrar(Path socket, FakeDriver driver) throws IOException {
    this.socket = socket;
    this.server = UnixServer.start(socket, List.of(new Service(driver)), NOTHING);
  }

  Path socket() {
    return socket;
  }

  @Override
  public void close() {
    server.close();
  }

  private static final class Service extends RegistrationGrpc.RegistrationImplBase {
    private final FakeDriver driver;

    Service(FakeDriver driver) {
      this.driver = driver;
    }

    @Override
    public void getInfo(InfoRequest request, StreamObserver<PluginInfo> reply) {
      reply.onNext(
          PluginInfo.newBuilder()
              .setType("CSIPlugin")
              .setName("fake.csijava.dev")
              .setEndpoint(driver.socket().toString())
              .addSupportedVersions("1.0.0")
              .build());
      reply.onCompleted();
    }

    @Override
    public void notifyRegistrationStatus(
        RegistrationStatus request, StreamObserver<RegistrationStatusResponse> reply) {
      reply.onNext(RegistrationStatusResponse.getDefaultInstance());
      reply.onCompleted();
    }
  }
}
