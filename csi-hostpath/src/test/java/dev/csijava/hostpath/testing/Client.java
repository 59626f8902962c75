package dev.csijava.hostpath.testing;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import java.util.concurrent.TimeUnit;

/**
 * A caller on the loopback interface; each call waits up to a minute for the server to be there.
 */
public final class Client implements AutoCloseable {
  private final ManagedChannel channel;

  /** To a server at this port. */
  public Client(int port) {
    channel = ManagedChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
  }

  /** To a server at this endpoint, {@code tcp://address:port}. */
  public static Client of(String endpoint) {
    return new Client(Integer.parseInt(endpoint.substring(endpoint.lastIndexOf(':') + 1)));
  }

  /** Its Controller service. */
  public ControllerGrpc.ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  /** The same, failing at once where no server is. */
  public ControllerGrpc.ControllerBlockingStub impatientController() {
    return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  /** Its Node service. */
  public NodeGrpc.NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  /** Its Identity service. */
  public IdentityGrpc.IdentityBlockingStub identity() {
    return IdentityGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(1, TimeUnit.MINUTES);
  }

  /** The connection itself. */
  public ManagedChannel channel() {
    return channel;
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
