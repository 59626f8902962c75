package dev.csijava.core.kubelet;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A gRPC server on a {@link RegistrationSocket}, from placing the socket to removing it. */
final class RegistrationServer {
  private static final int LARGEST_REQUEST = 64 * 1024;
  private static final long CLOSE_MILLIS = 500;

  private final RegistrationSocket socket;
  private final RegistrationService service;
  private final EventLoopGroup eventLoop;
  private @Nullable Server server;
  private Object identity = new Object();

  private RegistrationServer(
      RegistrationSocket socket, RegistrationService service, EventLoopGroup eventLoop) {
    this.socket = socket;
    this.service = service;
    this.eventLoop = eventLoop;
  }

  /**
   * Serves on the socket.
   *
   * @throws IOException as {@link RegistrationSocket#place}; nothing is left then
   */
  static RegistrationServer open(
      RegistrationSocket socket, RegistrationService service, EventLoopGroup eventLoop)
      throws IOException {
    RegistrationServer opened = new RegistrationServer(socket, service, eventLoop);
    boolean placed = false;
    try {
      opened.identity = socket.place(opened::listen);
      placed = true;
      return opened;
    } finally {
      if (!placed) {
        opened.shutDown();
      }
    }
  }

  boolean isInPlace() {
    return socket.isInPlace(identity);
  }

  /** Removes the socket, if it is still ours, then ends the server. Waits half a second at most. */
  void close() throws IOException {
    try {
      socket.remove(identity);
    } finally {
      shutDown();
    }
  }

  private void listen(Path path) throws IOException {
    server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(path))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(eventLoop)
            .workerEventLoopGroup(eventLoop)
            // Netty would warn at each connection that a Unix socket has no such option.
            .withChildOption(ChannelOption.SO_KEEPALIVE, null)
            .maxInboundMessageSize(LARGEST_REQUEST)
            .directExecutor()
            .addService(service)
            .build()
            .start();
  }

  private void shutDown() {
    if (server == null) {
      return;
    }
    server.shutdownNow();
    try {
      server.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
