package dev.csijava.core;

import com.google.common.collect.Lists;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bound endpoint with its event loop: one thread is enough for a daemon of this kind. */
final class Transport implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Transport.class);
  private static final int BACKLOG = 128;

  private final @Nullable UnixListener listener;
  private final Predicate<SocketChannel> admission;
  private final EventLoopGroup eventLoop;
  private volatile CsiEndpoint endpoint;

  private Transport(
      CsiEndpoint endpoint, @Nullable UnixListener listener, Predicate<SocketChannel> admission) {
    this.endpoint = endpoint;
    this.listener = listener;
    this.admission = admission;
    this.eventLoop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("csi-event-loop", true), NioIoHandler.newFactory());
  }

  static Transport bind(CsiEndpoint endpoint, SocketAccess access, Set<UserPrincipal> peers)
      throws IOException {
    Preparation.await();
    Predicate<SocketChannel> admission =
        peers.isEmpty() ? peer -> true : new PeerFilter(Set.copyOf(peers));
    Path path = endpoint.path().orElse(null);
    if (path == null && !peers.isEmpty()) {
      throw new IllegalArgumentException(
          "who connects to "
              + endpoint
              + " can't be told, so nobody could be kept out; allowPeer needs a Unix socket");
    }
    UnixListener listener = path == null ? null : UnixListener.bind(path, BACKLOG, access);
    return new Transport(endpoint, listener, admission);
  }

  /** Where callers connect to; for TCP with the port that was chosen, once started. */
  CsiEndpoint endpoint() {
    return endpoint;
  }

  Server start(List<ServerServiceDefinition> services, List<ServerInterceptor> interceptors)
      throws IOException {
    FrameLogs.silence();
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(endpoint.address())
            .bossEventLoopGroup(eventLoop)
            .workerEventLoopGroup(eventLoop)
            // The pipeline moves calls to its own threads; one hop is enough.
            .directExecutor()
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true);
    UnixListener bound = listener;
    if (bound == null) {
      builder.channelType(NioServerSocketChannel.class);
    } else {
      builder
          .channelFactory(() -> new UnixServerChannel(bound, admission))
          // A Unix socket has no such option, and Netty would say so at every connection.
          .withChildOption(ChannelOption.SO_KEEPALIVE, null);
    }
    services.forEach(builder::addService);
    builder.fallbackHandlerRegistry(new UnknownServices());
    // gRPC calls the interceptor that was added last first.
    Lists.reverse(interceptors).forEach(builder::intercept);
    Server server = builder.build().start();
    if (bound == null) {
      endpoint = CsiEndpoint.loopback((InetSocketAddress) server.getListenSockets().get(0));
    }
    return server;
  }

  @Override
  public void close() {
    try {
      if (listener != null) {
        listener.close();
      }
    } catch (IOException e) {
      LOG.warn("the socket {} could not be removed", endpoint, e);
    }
    // gRPC does not end event loops that it was given.
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
