package dev.csijava.examples.lifecycle;

import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerGrpc.ControllerBlockingStub;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.IdentityGrpc.IdentityBlockingStub;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodeGrpc.NodeBlockingStub;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * A connection to a driver on a Unix socket. Every call waits two minutes at most, as kubelet does,
 * and for the driver to take the connection.
 */
final class Caller implements AutoCloseable {
  private static final long MINUTES = 2;

  private final EventLoopGroup eventLoop =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  /**
   * @param socket the path of the driver's socket, at most 107 bytes
   */
  Caller(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(eventLoop)
            // A Unix socket has no such option, and Netty would say so.
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            // Left alone it would be the path, which servers in Go and Rust refuse.
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  IdentityBlockingStub identity() {
    return IdentityGrpc.newBlockingStub(channel)
        .withWaitForReady()
        .withDeadlineAfter(MINUTES, TimeUnit.MINUTES);
  }

  ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(channel).withDeadlineAfter(MINUTES, TimeUnit.MINUTES);
  }

  NodeBlockingStub node() {
    return NodeGrpc.newBlockingStub(channel).withDeadlineAfter(MINUTES, TimeUnit.MINUTES);
  }

  /** Ends the connection and its thread; blocks until that is done, for a few seconds at most. */
  @Override
  public void close() {
    channel.shutdownNow();
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
  }
}
