package dev.csijava.monitoring;

import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** A caller's connection to a Unix socket. */
final class Connection implements AutoCloseable {
  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private final ManagedChannel channel;

  Connection(Path socket) {
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(loop)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  ManagedChannel channel() {
    return channel;
  }

  /** Whether the driver said OK. */
  boolean unpublish(String volume) {
    try {
      return NodeGrpc.newBlockingStub(channel)
          .nodeUnpublishVolume(
              NodeUnpublishVolumeRequest.newBuilder()
                  .setVolumeId(volume)
                  .setTargetPath("/pods/a/mount")
                  .build())
          .isInitialized();
    } catch (StatusRuntimeException e) {
      return false;
    }
  }

  @Override
  public void close() {
    channel.shutdownNow();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }
}
