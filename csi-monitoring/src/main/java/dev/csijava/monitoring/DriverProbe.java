package dev.csijava.monitoring;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Calls Probe as a sidecar would: by a new connection to the driver's own socket each time, so that
 * a socket which was deleted, replaced or never accepts is seen (rule K15).
 */
final class DriverProbe implements AutoCloseable {
  private static final String TCP = "tcp://";

  private final CsiEndpoint endpoint;
  private final Duration atMost;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("csi-health", true), NioIoHandler.newFactory());

  DriverProbe(CsiEndpoint endpoint, Duration atMost) {
    this.endpoint = endpoint;
    this.atMost = atMost;
  }

  /** Asks once; returns after the time limit at the latest. */
  Answer ask() {
    ManagedChannel channel = channel();
    try {
      ProbeResponse response =
          IdentityGrpc.newBlockingStub(channel)
              .withDeadlineAfter(atMost.toNanos(), TimeUnit.NANOSECONDS)
              .probe(ProbeRequest.getDefaultInstance());
      boolean ready = !response.hasReady() || response.getReady().getValue();
      return new Answer(true, ready, ready ? "ok" : "the driver is not ready yet");
    } catch (StatusRuntimeException e) {
      return new Answer(false, false, "Probe at " + endpoint + " failed: " + e.getStatus());
    } finally {
      channel.shutdownNow();
    }
  }

  private ManagedChannel channel() {
    Path path = endpoint.path().orElse(null);
    NettyChannelBuilder builder =
        path == null
            ? NettyChannelBuilder.forAddress(tcp()).channelType(NioSocketChannel.class)
            : NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(path))
                .channelType(NioDomainSocketChannel.class)
                // A Unix socket has no such option, and Netty would say so at every connection.
                .withOption(ChannelOption.SO_KEEPALIVE, null);
    return builder
        .eventLoopGroup(loop)
        .directExecutor()
        .overrideAuthority("localhost")
        .usePlaintext()
        .build();
  }

  private InetSocketAddress tcp() {
    String address = endpoint.toString().substring(TCP.length());
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replace("[", "").replace("]", "");
    return new InetSocketAddress(host, Integer.parseInt(address.substring(colon + 1)));
  }

  @Override
  public void close() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }

  /**
   * What a probe found.
   *
   * @param alive whether the driver answered with OK
   * @param ready whether it says, besides, that it is ready
   * @param sentence for people
   */
  record Answer(boolean alive, boolean ready, String sentence) {}
}
