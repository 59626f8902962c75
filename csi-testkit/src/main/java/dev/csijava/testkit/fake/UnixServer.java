package dev.csijava.testkit.fake;

import io.grpc.BindableService;
import io.grpc.Server;
import io.grpc.ServerInterceptor;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A gRPC server on a Unix socket, each call on a thread of its own. */
final class UnixServer implements AutoCloseable {
  private final Path socket;
  private final EventLoopGroup eventLoop;
  private final ExecutorService threads;
  private final Server server;

  private UnixServer(
      Path socket, EventLoopGroup eventLoop, ExecutorService threads, Server server) {
    this.socket = socket;
    this.eventLoop = eventLoop;
    this.threads = threads;
    this.server = server;
  }

  static UnixServer start(
      Path socket, List<? extends BindableService> services, ServerInterceptor interceptor)
      throws IOException {
    makeRoom(socket);
    EventLoopGroup eventLoop =
        new MultiThreadIoEventLoopGroup(
            1, new DefaultThreadFactory("fake-csi-event-loop", true), NioIoHandler.newFactory());
    ExecutorService threads =
        Executors.newCachedThreadPool(new DefaultThreadFactory("fake-csi-call", true));
    NettyServerBuilder builder =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(eventLoop)
            .workerEventLoopGroup(eventLoop)
            // A Unix socket has no such option, and Netty would say so at every connection.
            .withChildOption(ChannelOption.SO_KEEPALIVE, null)
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .permitKeepAliveWithoutCalls(true)
            .executor(threads)
            .intercept(interceptor);
    services.forEach(builder::addService);
    try {
      return new UnixServer(socket, eventLoop, threads, builder.build().start());
    } catch (IOException | RuntimeException e) {
      stop(eventLoop, threads);
      throw e;
    }
  }

  /** Removes a socket that nobody serves, and nothing else. */
  private static void makeRoom(Path socket) throws IOException {
    if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    BasicFileAttributes attributes =
        Files.readAttributes(socket, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (!attributes.isOther()) {
      throw new IOException(socket + " exists and is no socket");
    }
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.connect(UnixDomainSocketAddress.of(socket));
    } catch (IOException refused) {
      Files.deleteIfExists(socket);
      return;
    }
    throw new IOException("another process serves " + socket);
  }

  /** Ends all calls, also those that wait, and removes the socket. */
  @Override
  public void close() {
    server.shutdownNow();
    threads.shutdownNow();
    try {
      server.awaitTermination(5, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    stop(eventLoop, threads);
    try {
      Files.deleteIfExists(socket);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(EventLoopGroup eventLoop, ExecutorService threads) {
    threads.shutdownNow();
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
  }
}
