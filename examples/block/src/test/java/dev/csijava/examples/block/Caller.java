package dev.csijava.examples.block;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.BlockVolume;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** What the sidecars and the kubelets of two nodes call. */
final class Caller implements AutoCloseable {
  static final VolumeCapability WRITER = block(Mode.SINGLE_NODE_WRITER);
  static final VolumeCapability READERS = block(Mode.MULTI_NODE_READER_ONLY);

  private final Map<String, CsiConnection> connections = new HashMap<>();
  private final Path root;

  Caller(TwoNodes nodes, Path root) {
    this.root = root;
    for (String name : new String[] {TwoNodes.CONTROLLER, TwoNodes.ONE, TwoNodes.TWO}) {
      connections.put(name, CsiConnection.to(DriverEndpoint.parse(nodes.endpoint(name))));
    }
  }

  static VolumeCapability block(Mode mode) {
    return VolumeCapability.newBuilder()
        .setBlock(BlockVolume.getDefaultInstance())
        .setAccessMode(AccessMode.newBuilder().setMode(mode))
        .build();
  }

  private ControllerGrpc.ControllerBlockingStub controller() {
    return ControllerGrpc.newBlockingStub(connection(TwoNodes.CONTROLLER).kept());
  }

  private NodeGrpc.NodeBlockingStub node(String name) {
    return NodeGrpc.newBlockingStub(connection(name).kept());
  }

  private CsiConnection connection(String name) {
    return Objects.requireNonNull(connections.get(name));
  }

  String create(String name, long bytes) {
    return controller()
        .createVolume(
            CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .addVolumeCapabilities(WRITER)
                .build())
        .getVolume()
        .getVolumeId();
  }

  void delete(String volumeId) {
    controller().deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(volumeId).build());
  }

  /** What the node is to be told. */
  Map<String, String> attach(String volumeId, String node, VolumeCapability capability) {
    return controller()
        .controllerPublishVolume(
            ControllerPublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setNodeId(node)
                .setVolumeCapability(capability)
                .build())
        .getPublishContextMap();
  }

  void detach(String volumeId, String node) {
    controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setNodeId(node)
                .build());
  }

  long expand(String volumeId, long bytes) {
    return controller()
        .controllerExpandVolume(
            ControllerExpandVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .build())
        .getCapacityBytes();
  }

  void stage(String volumeId, String node, VolumeCapability capability, Map<String, String> context)
      throws IOException {
    node(node)
        .nodeStageVolume(
            NodeStageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(Files.createDirectories(staging(volumeId, node)).toString())
                .setVolumeCapability(capability)
                .putAllPublishContext(context)
                .build());
  }

  Path publish(
      String volumeId, String node, VolumeCapability capability, Map<String, String> context) {
    Path target = root.resolve(node).resolve("target-" + volumeId);
    node(node)
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging(volumeId, node).toString())
                .setTargetPath(target.toString())
                .setVolumeCapability(capability)
                .putAllPublishContext(context)
                .build());
    return target;
  }

  long expandOnNode(String volumeId, String node, Path target) {
    return node(node)
        .nodeExpandVolume(
            NodeExpandVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setVolumePath(target.toString())
                .build())
        .getCapacityBytes();
  }

  void unpublish(String volumeId, String node, Path target) {
    node(node)
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target.toString())
                .build());
  }

  void unstage(String volumeId, String node) {
    node(node)
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging(volumeId, node).toString())
                .build());
  }

  private Path staging(String volumeId, String node) {
    return root.resolve(node).resolve("staging-" + volumeId);
  }

  @Override
  public void close() {
    connections.values().forEach(CsiConnection::close);
  }
}
