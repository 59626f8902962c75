package dev.csijava.benchmarks.process;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.CsiConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Calls as they come on a node: whole lives of volumes, and many small questions meanwhile. */
final class Life {
  private static final VolumeCapability CAPABILITY =
      VolumeCapability.newBuilder()
          .setMount(VolumeCapability.MountVolume.getDefaultInstance())
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
          .build();

  private static final int QUESTIONS = 6;

  /** Of one volume: its life, and each question as often. */
  private static final int CALLS_OF_A_VOLUME = 6 + 3 * QUESTIONS;

  private final IdentityGrpc.IdentityBlockingStub identity;
  private final ControllerGrpc.ControllerBlockingStub controller;
  private final NodeGrpc.NodeBlockingStub node;
  private final Path staging;
  private final Path target;

  /**
   * @param directory where volumes are staged and published
   */
  Life(CsiConnection connection, Path directory) throws IOException {
    identity = IdentityGrpc.newBlockingStub(connection.kept());
    controller = ControllerGrpc.newBlockingStub(connection.kept());
    node = NodeGrpc.newBlockingStub(connection.kept());
    staging = Files.createDirectory(directory.resolve("globalmount"));
    target = directory.resolve("published");
  }

  /** So many calls or a few more; each of them succeeds. */
  void calls(int atLeast) {
    for (int done = 0; done < atLeast; done += CALLS_OF_A_VOLUME) {
      volume("volume-" + done);
    }
  }

  private void volume(String name) {
    Volume volume =
        controller
            .createVolume(
                CreateVolumeRequest.newBuilder()
                    .setName(name)
                    .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(1 << 20))
                    .addVolumeCapabilities(CAPABILITY)
                    .build())
            .getVolume();
    String id = volume.getVolumeId();
    Message _ =
        node.nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .setStagingTargetPath(staging.toString())
                .setVolumeCapability(CAPABILITY)
                .build());
    Message _ =
        node.nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putAllVolumeContext(volume.getVolumeContextMap())
                .setStagingTargetPath(staging.toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(CAPABILITY)
                .build());
    ask(id);
    Message _ =
        node.nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setTargetPath(target.toString())
                .build());
    Message _ =
        node.nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(id)
                .setStagingTargetPath(staging.toString())
                .build());
    Message _ = controller.deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build());
  }

  private void ask(String id) {
    for (int i = 0; i < QUESTIONS; i++) {
      Message _ =
          node.nodeGetVolumeStats(
              NodeGetVolumeStatsRequest.newBuilder()
                  .setVolumeId(id)
                  .setVolumePath(target.toString())
                  .build());
      Message _ = node.nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
      Message _ = identity.probe(ProbeRequest.getDefaultInstance());
    }
  }
}
