package dev.csijava.core;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/** A driver on a real socket in a fresh directory, and clients for it. */
final class ServedDriver implements AutoCloseable {
  private final Path directory;
  private final CsiServer server;
  private final EventLoopGroup clientLoop =
      new MultiThreadIoEventLoopGroup(
          1, new DefaultThreadFactory("test-client", true), NioIoHandler.newFactory());
  private final List<ManagedChannel> channels = new ArrayList<>();

  private ServedDriver(Path directory, CsiServer server) {
    this.directory = directory;
    this.server = server;
  }

  static ServedDriver start(CsiDriver driver) {
    return start(driver, builder -> builder);
  }

  static ServedDriver start(CsiDriver driver, UnaryOperator<CsiServer.Builder> configuration) {
    try {
      Path directory = Files.createTempDirectory("csi-core-test");
      try {
        CsiServer.Builder builder =
            CsiServer.forDriver(driver).endpoint(CsiEndpoint.unix(directory.resolve("csi.sock")));
        return new ServedDriver(directory, configuration.apply(builder).start());
      } catch (IOException | RuntimeException e) {
        Files.delete(directory);
        throw e;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  CsiServer server() {
    return server;
  }

  Path socket() {
    return directory.resolve("csi.sock");
  }

  ManagedChannel channel() {
    return channel("localhost");
  }

  /** A new connection that sends this authority. */
  ManagedChannel channel(String authority) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket()))
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(clientLoop)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority(authority)
            .usePlaintext()
            .build();
    channels.removeIf(ManagedChannel::isTerminated);
    channels.add(channel);
    return channel;
  }

  @Override
  public void close() {
    channels.forEach(ManagedChannel::shutdownNow);
    server.close();
    clientLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    try {
      Files.deleteIfExists(socket());
      Files.delete(directory);
    } catch (IOException e) {
      throw new UncheckedIOException("something was left behind", e);
    }
  }
}
