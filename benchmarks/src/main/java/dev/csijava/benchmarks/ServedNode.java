package dev.csijava.benchmarks;

import dev.csijava.core.PartialPipeline;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.inprocess.InProcessChannelBuilder;
import io.grpc.inprocess.InProcessServerBuilder;
import io.grpc.netty.NettyServerBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A service behind one transport, with a channel to it. Closing gives everything back. */
final class ServedNode implements AutoCloseable {
  private final Closers closers = new Closers();
  private final Channel channel;

  private ServedNode(ServerServiceDefinition service, boolean inProcess, boolean bare)
      throws IOException {
    if (inProcess) {
      channel = inProcess(service, bare);
      return;
    }
    Path directory = Files.createTempDirectory("csi-benchmark");
    Path socket = directory.resolve("csi.sock");
    closers.push(() -> Files.delete(directory));
    closers.push(() -> Files.deleteIfExists(socket));
    closers.push(bare ? bareServer(socket, service) : PartialPipeline.serve(socket, service));
    CsiConnection connection = CsiConnection.to(DriverEndpoint.parse("unix://" + socket));
    closers.push(connection);
    channel = connection.kept();
  }

  /** As the framework serves it. */
  static ServedNode framed(ServerServiceDefinition service, boolean inProcess) throws IOException {
    return new ServedNode(service, inProcess, false);
  }

  /** With the threads that grpc-java itself has for handlers. */
  static ServedNode bare(ServerServiceDefinition service, boolean inProcess) throws IOException {
    return new ServedNode(service, inProcess, true);
  }

  Channel channel() {
    return channel;
  }

  private Channel inProcess(ServerServiceDefinition service, boolean bare) throws IOException {
    String name = InProcessServerBuilder.generateName();
    InProcessServerBuilder builder = InProcessServerBuilder.forName(name).addService(service);
    if (!bare) {
      builder.directExecutor();
    }
    Server server = builder.build().start();
    closers.push(() -> server.shutdownNow().awaitTermination());
    ManagedChannel made = InProcessChannelBuilder.forName(name).directExecutor().build();
    closers.push(() -> made.shutdownNow().awaitTermination(2, TimeUnit.SECONDS));
    return made;
  }

  private static AutoCloseable bareServer(Path socket, ServerServiceDefinition service)
      throws IOException {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Server server =
        NettyServerBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioServerDomainSocketChannel.class)
            .bossEventLoopGroup(loop)
            .workerEventLoopGroup(loop)
            // A Unix socket has no such option, and Netty would say so at every connection.
            .withChildOption(ChannelOption.SO_KEEPALIVE, null)
            .addService(service)
            .build()
            .start();
    return () -> {
      server.shutdownNow().awaitTermination();
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly(2, TimeUnit.SECONDS);
    };
  }

  @Override
  public void close() throws IOException {
    closers.close();
  }
}
