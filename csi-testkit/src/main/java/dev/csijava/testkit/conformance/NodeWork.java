package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import java.nio.file.Path;

/**
 * Takes volumes to the node the driver runs on, as an orchestrator does: attach, stage and publish,
 * the first two where the driver has them. Paths are fresh ones below the configured directories.
 *
 * @since 0.1.0
 */
public final class NodeWork {
  private final CaseContext context;
  private final Places places;

  NodeWork(CaseContext context, Places places) {
    this.context = context;
    this.places = places;
  }

  /**
   * A volume on its way to a node.
   *
   * @param volume the volume
   * @param capability how it is used
   * @param attached what the controller answered; empty where the driver does not attach
   * @param stagingPath where it is staged; empty where the driver does not stage
   * @since 0.1.0
   */
  public record OnNode(
      Volume volume,
      VolumeCapability capability,
      ControllerPublishVolumeResponse attached,
      String stagingPath) {

    /**
     * The request that stages it.
     *
     * @since 0.1.0
     */
    public NodeStageVolumeRequest.Builder stageRequest() {
      return NodeStageVolumeRequest.newBuilder()
          .setVolumeId(volume.getVolumeId())
          .setStagingTargetPath(stagingPath)
          .setVolumeCapability(capability)
          .putAllVolumeContext(volume.getVolumeContextMap())
          .putAllPublishContext(attached.getPublishContextMap());
    }

    /**
     * The request that publishes it there, for writing.
     *
     * @since 0.1.0
     */
    public NodePublishVolumeRequest.Builder publishRequest(String targetPath) {
      return NodePublishVolumeRequest.newBuilder()
          .setVolumeId(volume.getVolumeId())
          .setStagingTargetPath(stagingPath)
          .setTargetPath(targetPath)
          .setVolumeCapability(capability)
          .putAllVolumeContext(volume.getVolumeContextMap())
          .putAllPublishContext(attached.getPublishContextMap());
    }

    /**
     * The request that takes it back from there.
     *
     * @since 0.1.0
     */
    public NodeUnpublishVolumeRequest unpublishRequest(String targetPath) {
      return NodeUnpublishVolumeRequest.newBuilder()
          .setVolumeId(volume.getVolumeId())
          .setTargetPath(targetPath)
          .build();
    }

    /**
     * The request that unstages it.
     *
     * @since 0.1.0
     */
    public NodeUnstageVolumeRequest unstageRequest() {
      return NodeUnstageVolumeRequest.newBuilder()
          .setVolumeId(volume.getVolumeId())
          .setStagingTargetPath(stagingPath)
          .build();
    }
  }

  /**
   * A path that does not exist below a directory that does; the driver makes it.
   *
   * @since 0.1.0
   */
  public String targetPath() {
    return places.target().toString();
  }

  /**
   * A directory, made.
   *
   * @since 0.1.0
   */
  public String stagingPath() {
    return places.staging().toString();
  }

  /**
   * Attached as far as the driver does that, and with a staging directory; not staged.
   *
   * @since 0.1.0
   */
  public OnNode attach(Volume volume, VolumeCapability capability) {
    ControllerPublishVolumeResponse answer = context.make().attached(volume, capability);
    String staging = context.advertises("node:STAGE_UNSTAGE_VOLUME") ? stagingPath() : "";
    return new OnNode(volume, capability, answer, staging);
  }

  /**
   * Attached and staged, as far as the driver does that.
   *
   * @since 0.1.0
   */
  public OnNode stage(Volume volume, VolumeCapability capability) {
    OnNode onNode = attach(volume, capability);
    if (!onNode.stagingPath().isEmpty()) {
      context.prepare(() -> context.node().nodeStageVolume(onNode.stageRequest().build()));
    }
    return onNode;
  }

  /**
   * Published at a fresh target, whose path is the answer.
   *
   * @since 0.1.0
   */
  public String publish(OnNode onNode) {
    String target = targetPath();
    context.prepare(() -> context.node().nodePublishVolume(onNode.publishRequest(target).build()));
    return target;
  }

  /**
   * Taken back from a target.
   *
   * @since 0.1.0
   */
  public void unpublish(OnNode onNode, String target) {
    context.prepare(() -> context.node().nodeUnpublishVolume(onNode.unpublishRequest(target)));
  }

  /**
   * Unstaged and detached, as far as the driver does that.
   *
   * @since 0.1.0
   */
  public void remove(OnNode onNode) {
    if (!onNode.stagingPath().isEmpty()) {
      context.prepare(() -> context.node().nodeUnstageVolume(onNode.unstageRequest()));
    }
    if (context.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      context.prepare(
          () ->
              context
                  .controller()
                  .controllerUnpublishVolume(
                      dev.csijava.spec.v1.ControllerUnpublishVolumeRequest.newBuilder()
                          .setVolumeId(onNode.volume().getVolumeId())
                          .setNodeId(context.nodeInfo().getNodeId())
                          .build()));
    }
  }

  /**
   * Ends the case unless the kit sees the driver's files and may mount like it.
   *
   * @since 0.1.0
   */
  public void needFiles() {
    context.need(
        seesFiles(), "the directories are made by commands, so the kit can't see into volumes");
  }

  /**
   * Whether the kit works on the driver's host itself.
   *
   * @since 0.1.0
   */
  public boolean seesFiles() {
    return places.local();
  }

  /** Whether it can be told what stands at a path on the driver's host. */
  boolean canLook() {
    return places.canLook();
  }

  /** What stands at a path on the driver's host; the case ends if nobody can tell. */
  PathKind kindAt(String path) {
    context.need(
        canLook(), "the directories are made by commands, and --check-path-command is not given");
    return places.kind(Path.of(path));
  }

  /**
   * The path, to look into.
   *
   * @since 0.1.0
   */
  public Path file(String path) {
    return Path.of(path);
  }
}
