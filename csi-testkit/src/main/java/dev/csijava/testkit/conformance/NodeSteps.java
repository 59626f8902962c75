package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.util.List;
import java.util.Map;

/** Steps that many cases of the Node service have in common. */
final class NodeSteps {
  static final String STAGES = "node:STAGE_UNSTAGE_VOLUME";
  static final String FINER_MODES = "node:SINGLE_NODE_MULTI_WRITER";
  static final String RELATIVE = "some/relative/path";

  /** Not the context of any volume. */
  static final Map<String, String> STRANGE_CONTEXT = Map.of("csi-testkit-no-such-key", "wrong");

  private static final int SHORT_PATH = 128;

  private NodeSteps() {}

  static NodeStageVolumeResponse stage(CaseContext c, NodeStageVolumeRequest.Builder request) {
    return c.node().nodeStageVolume(request.build());
  }

  static NodeUnstageVolumeResponse unstage(CaseContext c, String volumeId, String path) {
    return c.node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(path)
                .build());
  }

  static NodePublishVolumeResponse publish(
      CaseContext c, NodePublishVolumeRequest.Builder request) {
    return c.node().nodePublishVolume(request.build());
  }

  static NodeUnpublishVolumeResponse unpublish(CaseContext c, String volumeId, String path) {
    return c.node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(path)
                .build());
  }

  /** A new volume as configured, attached and staged as far as the driver does that. */
  static OnNode staged(CaseContext c) {
    return c.make().onNode().stage(c.make().volume(), c.requests().capability());
  }

  /**
   * As {@link #staged}; of a driver that makes no volumes, one that stands in a pod's manifest, if
   * it is known what such a volume is told.
   */
  static OnNode usable(CaseContext c) {
    if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      return staged(c);
    }
    c.need(
        c.settings().inlineAttributes().isPresent(),
        "ctrl:CREATE_DELETE_VOLUME is not advertised, and --inline-attributes is not given");
    return InlineCallerCases.volume(c);
  }

  /**
   * The volume that the user named. The case is skipped if it is attached to a node: to detach it
   * would take it from whoever uses it there.
   */
  static Volume existing(CaseContext c, String id) {
    Volume volume = Volume.newBuilder().setVolumeId(id).build();
    if (Listing.tellsNodes(c)) {
      List<String> nodes = Listing.nodesOf(c, volume);
      c.need(
          nodes.isEmpty(),
          "the volume "
              + id
              + " is attached to "
              + nodes
              + " already, and the kit would detach it");
    }
    return volume;
  }

  /** Those of the two finer modes that the driver makes volumes for; the case needs one. */
  static List<Mode> finerModes(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    List<Mode> modes =
        List.of(Mode.SINGLE_NODE_SINGLE_WRITER, Mode.SINGLE_NODE_MULTI_WRITER).stream()
            .filter(
                mode ->
                    Outcome.of(
                            () ->
                                c.controller()
                                    .createVolume(
                                        c.requests()
                                            .volume()
                                            .setVolumeCapabilities(0, c.requests().capability(mode))
                                            .build()))
                        .ok())
            .toList();
    c.need(!modes.isEmpty(), "the driver makes no volumes for either of the finer modes");
    return modes;
  }

  /** A new volume for a mode, staged; the case is skipped if the driver makes no such volume. */
  static OnNode staged(CaseContext c, Mode mode) {
    VolumeCapability capability = c.requests().capability(mode);
    Volume volume = c.make().supportedVolume(capability, "volumes for " + mode);
    return c.make().onNode().stage(volume, capability);
  }

  /**
   * A new volume that may be written and only read, attached for writing, not staged; the case is
   * skipped if the driver makes no such volume.
   */
  static OnNode forBothModes(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    VolumeCapability writer = c.requests().capability();
    Outcome<Volume> made =
        Outcome.of(
            () ->
                c.controller()
                    .createVolume(c.requests().volume().addVolumeCapabilities(reader(c)).build())
                    .getVolume());
    c.need(made.ok(), "the driver makes no volumes for writers and readers (" + made + ")");
    return c.make().onNode().attach(made.answer(), writer);
  }

  static VolumeCapability reader(CaseContext c) {
    return c.requests().capability(Mode.SINGLE_NODE_READER_ONLY);
  }

  /** As configured, but with a file system that nobody has. */
  static VolumeCapability unservable(CaseContext c) {
    c.need(
        c.settings().accessType() == Settings.AccessType.MOUNT,
        "only a file system type can be surely unknown, and volumes are block");
    VolumeCapability capability = c.requests().capability();
    return capability.toBuilder()
        .setMount(capability.getMount().toBuilder().setFsType("csitestkitfs"))
        .build();
  }

  /**
   * The call must be refused since nobody has that file system: as one beyond the volume's
   * capabilities, or as a field that is not supported, which is said of every RPC.
   */
  static void unserved(CaseContext c, Outcome<?> outcome) {
    c.check(
        outcome.code() == Status.Code.FAILED_PRECONDITION
            || outcome.code() == Status.Code.INVALID_ARGUMENT,
        "FAILED_PRECONDITION, or INVALID_ARGUMENT for an fs_type that is not supported",
        outcome);
  }

  /**
   * A relative path must be refused, unless the driver says that nothing is there to be taken back,
   * which is true.
   */
  static void refusedOrNothingThere(CaseContext c, Outcome<?> outcome) {
    c.check(
        outcome.ok() || outcome.code() == Status.Code.INVALID_ARGUMENT,
        "INVALID_ARGUMENT, or OK since nothing is there",
        outcome);
  }

  /**
   * A path beside the given one, of 128 bytes, or hardly longer where the directories are deep. It
   * begins as the given one does: cases that run at once have no path in common.
   */
  static String of128Bytes(String path) {
    return path + "p".repeat(Math.max(1, SHORT_PATH - Texts.bytes(path)));
  }

  /** Grows the volume at the controller, if the driver has that step. */
  static void growAtController(CaseContext c, Volume volume) {
    if (c.advertises("ctrl:EXPAND_VOLUME")) {
      c.prepare(
          () ->
              c.controller()
                  .controllerExpandVolume(
                      ControllerExpandVolumeRequest.newBuilder()
                          .setVolumeId(volume.getVolumeId())
                          .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
                          .build()));
    }
  }

  /** Ends the case unless the kit sees a mount at the path. */
  static void needMount(CaseContext c, String path) {
    c.make().onNode().needFiles();
    c.need(
        SeenMounts.isMounted(path),
        "nothing that the kit can see is mounted at "
            + path
            + "; the driver only plays, or runs"
            + " in another mount namespace");
  }
}
