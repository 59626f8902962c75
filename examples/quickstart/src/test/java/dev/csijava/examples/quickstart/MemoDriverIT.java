package dev.csijava.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver of the README over its socket, with real mounts. */
class MemoDriverIT {
  private final EventLoopGroup eventLoop =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private Path root = Path.of("/nonexistent");
  private @Nullable CsiServer server;
  private @Nullable ManagedChannel channel;

  @BeforeEach
  void serve(@TempDir Path directory) throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    root = directory.toRealPath();
    Path socket = root.resolve("csi.sock");
    server =
        CsiServer.forDriver(MemoDriver.driver("node-1")).endpoint(CsiEndpoint.unix(socket)).start();
    channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(eventLoop)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
  }

  @AfterEach
  void stop() throws IOException {
    if (channel != null) {
      channel.shutdownNow();
    }
    eventLoop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    if (server != null) {
      server.close();
    }
    for (Mount left : MountTable.read().below(root)) {
      Mounter.system().unmount(left.target());
    }
  }

  @Test
  void aVolumeInMemoryComesAndGoesWithItsPod() throws IOException {
    Path target = root.resolve("mount");

    publish("csi-1", target, "1m");
    publish("csi-1", target, "1m");

    Files.writeString(target.resolve("memo"), "remember");
    assertThat(Files.getFileStore(target).getTotalSpace()).isEqualTo(1 << 20);
    assertThat(MountTable.read().stackAt(target)).hasSize(1);

    unpublish("csi-1", target);
    unpublish("csi-1", target);

    assertThat(target).doesNotExist();
    assertThat(MountTable.read().below(root)).isEmpty();
  }

  @Test
  void theMountOfAnotherVolumeIsNeitherTakenNorTakenAway() throws IOException {
    Path target = root.resolve("mount");
    publish("csi-1", target, "1m");

    assertThat(codeOf(() -> publish("csi-2", target, "1m"))).isEqualTo(Status.Code.ALREADY_EXISTS);
    assertThat(codeOf(() -> unpublish("csi-2", target))).isEqualTo(Status.Code.FAILED_PRECONDITION);

    assertThat(MountTable.read().stackAt(target)).hasSize(1);
  }

  @Test
  void aSizeThatWouldSmuggleInAnOptionIsRefused() {
    Path target = root.resolve("mount");

    assertThat(codeOf(() -> publish("csi-1", target, "1m,mode=0000")))
        .isEqualTo(Status.Code.INVALID_ARGUMENT);

    assertThat(target).doesNotExist();
  }

  @Test
  void whatIsNotRegisteredIsUnimplemented() {
    assertThat(
            IdentityGrpc.newBlockingStub(channel)
                .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                .getName())
        .isEqualTo("memo.example.com");
    assertThat(
            codeOf(
                () ->
                    ControllerGrpc.newBlockingStub(channel)
                        .controllerGetCapabilities(
                            ControllerGetCapabilitiesRequest.getDefaultInstance())))
        .isEqualTo(Status.Code.UNIMPLEMENTED);
  }

  private void publish(String volumeId, Path target, String size) {
    NodeGrpc.newBlockingStub(channel)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target.toString())
                .setVolumeCapability(
                    VolumeCapability.newBuilder()
                        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
                        .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER)))
                .putVolumeContext("size", size)
                .build());
  }

  private void unpublish(String volumeId, Path target) {
    NodeGrpc.newBlockingStub(channel)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target.toString())
                .build());
  }

  private static Status.Code codeOf(Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    return failure == null ? Status.Code.OK : failure.getStatus().getCode();
  }
}
