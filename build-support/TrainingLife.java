import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.v1.*;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What a driver is asked for on a node, so that the cache of its classes has what a start and the
 * usual calls need. All that a node turns on is turned on: a class that is missing in the cache
 * costs time at each start, and memory that no other process shares. Nothing is mounted.
 */
final class TrainingLife {
  private final Path work;
  private final int port;

  TrainingLife(Path work) throws IOException {
    this.work = work;
    Files.createDirectories(plugins());
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      this.port = free.getLocalPort();
    }
  }

  private Path socket() {
    return work.resolve("csi.sock");
  }

  private Path plugins() {
    return work.resolve("plugins");
  }

  List<String> flags() {
    return List.of(
        "--endpoint=unix://" + socket(),
        "--nodeid=training",
        "--statedir=" + work.resolve("state"),
        "--rundir=" + work.resolve("run"),
        "--http-endpoint=127.0.0.1:" + port,
        "--kubelet-registration-path=/var/lib/kubelet/plugins/csi-hostpath/csi.sock",
        "--plugin-registration-path=" + plugins(),
        "--enable-attach=true",
        "--enable-topology=true",
        "--enable-snapshot-metadata=true",
        "--enable-controller-modify-volume=true");
  }

  boolean isServing() {
    return Files.exists(socket());
  }

  void live() throws Exception {
    EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      with(loop, socket(), this::identify);
      with(loop, registrationSocket(), TrainingLife::register);
      for (String page : List.of("healthz", "readyz", "metrics")) {
        read(page);
      }
      // A connection of its own, as callers have it.
      with(loop, socket(), this::keep);
    } finally {
      loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
    }
  }

  private static void with(EventLoopGroup loop, Path socket, Consumer<ManagedChannel> calls) {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .eventLoopGroup(loop)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
    try {
      calls.accept(channel);
    } finally {
      channel.shutdownNow();
    }
  }

  private Path registrationSocket() throws IOException, InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < deadline) {
      try (Stream<Path> found = Files.list(plugins())) {
        var socket = found.filter(file -> file.toString().endsWith(".sock")).findFirst();
        if (socket.isPresent()) {
          return socket.get();
        }
      }
      Thread.sleep(50);
    }
    throw new IllegalStateException("the driver does not register");
  }

  private static void register(ManagedChannel channel) {
    var registration = RegistrationGrpc.newBlockingStub(channel);
    registration.getInfo(InfoRequest.getDefaultInstance());
    registration.notifyRegistrationStatus(
        RegistrationStatus.newBuilder().setPluginRegistered(true).build());
  }

  private void read(String page) throws IOException {
    try (var content = URI.create("http://127.0.0.1:" + port + "/" + page).toURL().openStream()) {
      content.readAllBytes();
    }
  }

  private void identify(ManagedChannel channel) {
    var identity = IdentityGrpc.newBlockingStub(channel);
    identity.probe(ProbeRequest.getDefaultInstance());
    identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
    identity.getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());
    ControllerGrpc.newBlockingStub(channel)
        .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance());
    var node = NodeGrpc.newBlockingStub(channel);
    node.nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
    node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
  }

  private void keep(ManagedChannel channel) {
    var controller = ControllerGrpc.newBlockingStub(channel);
    String volume = create(channel, "training", VolumeContentSource.getDefaultInstance());
    controller.listVolumes(ListVolumesRequest.getDefaultInstance());
    controller.getCapacity(GetCapacityRequest.getDefaultInstance());
    String snapshot =
        controller
            .createSnapshot(
                CreateSnapshotRequest.newBuilder()
                    .setSourceVolumeId(volume)
                    .setName("training")
                    .build())
            .getSnapshot()
            .getSnapshotId();
    controller.listSnapshots(ListSnapshotsRequest.getDefaultInstance());
    String restored =
        create(
            channel,
            "restored",
            VolumeContentSource.newBuilder()
                .setSnapshot(
                    VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId(snapshot))
                .build());
    controller.controllerExpandVolume(
        ControllerExpandVolumeRequest.newBuilder()
            .setVolumeId(restored)
            .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2L << 30))
            .build());
    controller.controllerPublishVolume(
        ControllerPublishVolumeRequest.newBuilder()
            .setVolumeId(volume)
            .setNodeId("training")
            .setVolumeCapability(mounted())
            .build());
    onNode(channel, volume);
    controller.controllerUnpublishVolume(
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume)
            .setNodeId("training")
            .build());
    controller.deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(snapshot).build());
    for (String id : List.of(restored, volume)) {
      controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
    }
  }

  private static VolumeCapability mounted() {
    return VolumeCapability.newBuilder()
        .setMount(VolumeCapability.MountVolume.getDefaultInstance())
        .setAccessMode(
            VolumeCapability.AccessMode.newBuilder()
                .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
        .build();
  }

  private static String create(ManagedChannel channel, String name, VolumeContentSource source) {
    CreateVolumeRequest.Builder request =
        CreateVolumeRequest.newBuilder().setName(name).addVolumeCapabilities(mounted());
    if (source.hasSnapshot()) {
      request.setVolumeContentSource(source);
    }
    return ControllerGrpc.newBlockingStub(channel)
        .createVolume(request.build())
        .getVolume()
        .getVolumeId();
  }

  /** Without directories these fail, but all that stands before the mount is learnt as well. */
  private void onNode(ManagedChannel channel, String volume) {
    var node = NodeGrpc.newBlockingStub(channel);
    String staging = work.resolve("staging").toString();
    String target = work.resolve("target").toString();
    failing(
        () ->
            node.nodeStageVolume(
                NodeStageVolumeRequest.newBuilder()
                    .setVolumeId(volume)
                    .setStagingTargetPath(staging)
                    .setVolumeCapability(mounted())
                    .build()));
    failing(
        () ->
            node.nodeGetVolumeStats(
                NodeGetVolumeStatsRequest.newBuilder()
                    .setVolumeId(volume)
                    .setVolumePath(target)
                    .build()));
    node.nodeUnpublishVolume(
        NodeUnpublishVolumeRequest.newBuilder().setVolumeId(volume).setTargetPath(target).build());
    node.nodeUnstageVolume(
        NodeUnstageVolumeRequest.newBuilder()
            .setVolumeId(volume)
            .setStagingTargetPath(staging)
            .build());
  }

  private static void failing(Runnable call) {
    try {
      call.run();
    } catch (StatusRuntimeException e) {
      return;
    }
    throw new IllegalStateException("a call without its directory passed");
  }
}
