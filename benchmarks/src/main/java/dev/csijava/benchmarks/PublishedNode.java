package dev.csijava.benchmarks;

import com.google.protobuf.Message;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.HostpathDriver;
import dev.csijava.hostpath.HostpathSettings;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The reference driver, served on a socket of a busy node, with one volume staged. The volumes lie
 * on a mount of their own. Beside it a driver that does nothing. Closing leaves nothing.
 */
final class PublishedNode implements AutoCloseable {
  private static final VolumeCapability SHARED =
      VolumeCapability.newBuilder()
          .setMount(VolumeCapability.MountVolume.getDefaultInstance())
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_MULTI_WRITER))
          .build();

  private final Closers closers = new Closers();
  private final NodeGrpc.NodeBlockingStub node;
  private final NodeGrpc.NodeBlockingStub idle;
  private final NodePublishVolumeRequest publish;
  private final NodeUnpublishVolumeRequest unpublish;
  private final Path staging;
  private final Path target;
  private @Nullable BareMount bare;

  PublishedNode(int mounts, int volumes) throws IOException {
    Quiet.please();
    BusyNode busy = new BusyNode(mounts);
    closers.push(busy);
    Path state = Files.createDirectory(busy.volume().resolveSibling("state"));
    FilledState.fill(state, volumes);
    Path directory = Files.createTempDirectory("csi-benchmark");
    closers.push(() -> FilledState.delete(directory));
    HostpathDriver hostpath =
        HostpathDriver.open(
            HostpathSettings.of(
                "benchmark.example.com", "1", "node", state, directory.resolve("run")));
    closers.push(hostpath);
    CsiConnection connection = serve(hostpath.driver(), directory.resolve("csi.sock"));
    node = NodeGrpc.newBlockingStub(connection.kept());
    idle =
        NodeGrpc.newBlockingStub(
            serve(SampleCalls.driver(), directory.resolve("idle.sock")).kept());
    staging = Files.createDirectory(busy.freeTarget().resolveSibling("globalmount"));
    target = busy.freeTarget().resolveSibling("published");
    Volume volume =
        ControllerGrpc.newBlockingStub(connection.kept())
            .createVolume(
                CreateVolumeRequest.newBuilder()
                    .setName("published")
                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20))
                    .addVolumeCapabilities(SHARED)
                    .build())
            .getVolume();
    stage(volume);
    publish =
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .putAllVolumeContext(volume.getVolumeContextMap())
            .setStagingTargetPath(staging.toString())
            .setTargetPath(target.toString())
            .setVolumeCapability(SHARED)
            .build();
    unpublish =
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setTargetPath(target.toString())
            .build();
  }

  private CsiConnection serve(CsiDriver driver, Path socket) throws IOException {
    closers.push(CsiServer.forDriver(driver).endpoint(CsiEndpoint.unix(socket)).start());
    CsiConnection connection = CsiConnection.to(DriverEndpoint.parse("unix://" + socket));
    closers.push(connection);
    return connection;
  }

  private void stage(Volume volume) {
    Message _ =
        node.nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volume.getVolumeId())
                .putAllVolumeContext(volume.getVolumeContextMap())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(SHARED)
                .build());
    closers.push(
        () ->
            node.nodeUnstageVolume(
                NodeUnstageVolumeRequest.newBuilder()
                    .setVolumeId(volume.getVolumeId())
                    .setStagingTargetPath(staging.toString())
                    .build()));
  }

  Message publish() {
    return node.nodePublishVolume(publish);
  }

  Message unpublish() {
    return node.nodeUnpublishVolume(unpublish);
  }

  Message emptyCallsAndBareSystemCalls() {
    Message _ = idle.nodePublishVolume(SampleCalls.publish());
    BareMount mount = bare();
    mount.publish();
    mount.unpublish();
    return idle.nodeUnpublishVolume(unpublish);
  }

  private BareMount bare() {
    if (bare == null) {
      bare = new BareMount(staging, target);
      closers.push(bare);
    }
    return bare;
  }

  @Override
  public void close() throws IOException {
    closers.close();
  }
}
