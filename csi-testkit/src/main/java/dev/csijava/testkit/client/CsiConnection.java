package dev.csijava.testkit.client;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * A driver that can be called. Connects at the first call and again when the driver was restarted.
 * Sends the authority {@code localhost}, as kubelet does.
 *
 * <p>Safe for any thread. The channels are made for this object and end with it.
 *
 * @since 0.1.0
 */
public final class CsiConnection implements AutoCloseable {
  private static final int LARGEST_ANSWER = 64 << 20;

  private final DriverEndpoint endpoint;
  private final EventLoopGroup loop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("csi-client", true), NioIoHandler.newFactory());
  private final ManagedChannel kept;

  private CsiConnection(DriverEndpoint endpoint) {
    this.endpoint = endpoint;
    this.kept = connect();
  }

  /**
   * To this driver; does not wait for it.
   *
   * @since 0.1.0
   */
  public static CsiConnection to(DriverEndpoint endpoint) {
    return new CsiConnection(endpoint);
  }

  /**
   * Where the driver is.
   *
   * @since 0.1.0
   */
  public DriverEndpoint endpoint() {
    return endpoint;
  }

  /**
   * One connection for all calls, as sidecars have it.
   *
   * @since 0.1.0
   */
  public Channel kept() {
    return kept;
  }

  /**
   * A new connection for every call, as kubelet does it.
   *
   * @since 0.1.0
   */
  public Channel perCall() {
    return new ChannelPerCall(this::connect);
  }

  /**
   * A new connection, which the caller must shut down.
   *
   * @since 0.1.0
   */
  public ManagedChannel connect() {
    NettyChannelBuilder builder = NettyChannelBuilder.forAddress(endpoint.address());
    if (endpoint.path().isPresent()) {
      // A Unix socket has no such option, and Netty would say so at every connection.
      builder
          .channelType(NioDomainSocketChannel.class)
          .withOption(ChannelOption.SO_KEEPALIVE, null);
    } else {
      builder.channelType(NioSocketChannel.class);
    }
    return builder
        .eventLoopGroup(loop)
        .overrideAuthority("localhost")
        .maxInboundMessageSize(LARGEST_ANSWER)
        .disableRetry()
        .usePlaintext()
        .build();
  }

  /** Ends all calls; returns after two seconds at the latest. */
  @Override
  public void close() {
    kept.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
