package dev.csijava.examples.block;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.Map;
import java.util.Optional;

/**
 * What a capability asks for in effect. Two capabilities that come to the same are the same:
 * callers send a newer mode for a volume in use once they know that the driver understands it.
 *
 * @param readOnly whether nobody writes
 * @param manyNodes whether several nodes may have the volume at once
 */
record Use(boolean readOnly, boolean manyNodes) {
  private static final String NODE = "node";
  private static final String ACCESS = "access";
  private static final String READ_ONLY = "read-only";

  /** Empty for what this driver does not offer: file systems, and writers on several nodes. */
  static Optional<Use> of(VolumeCapability capability) {
    if (!capability.hasBlock()) {
      return Optional.empty();
    }
    return switch (capability.getAccessMode().getMode()) {
      case SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER, SINGLE_NODE_MULTI_WRITER ->
          Optional.of(new Use(false, false));
      case SINGLE_NODE_READER_ONLY -> Optional.of(new Use(true, false));
      case MULTI_NODE_READER_ONLY -> Optional.of(new Use(true, true));
      default -> Optional.empty();
    };
  }

  /**
   * How a volume is attached.
   *
   * @throws CsiException INVALID_ARGUMENT for a capability that is not offered
   */
  static Use of(ControllerPublishVolumeRequest attachment) {
    return of(attachment.getVolumeCapability())
        .orElseThrow(() -> CsiException.invalidArgument("volume_capability: " + refusal()))
        .readOnlyIf(attachment.getReadonly());
  }

  static String refusal() {
    return "raw block volumes are offered, for one node that writes or for any that read";
  }

  Use readOnlyIf(boolean asked) {
    return new Use(readOnly || asked, manyNodes);
  }

  /** What the node is told: who it must be, and what it may do. */
  Map<String, String> toPublishContext(String nodeId) {
    return Map.of(NODE, nodeId, ACCESS, readOnly ? READ_ONLY : "read-write");
  }

  /**
   * What a node may do with a volume: what the capability asks for, and no more than it is attached
   * for.
   *
   * @throws CsiException FAILED_PRECONDITION if the capability is not offered, or the volume is not
   *     attached to this node, with the name of the node that it is attached to
   */
  static Use onNode(String nodeId, VolumeCapability capability, Map<String, String> context) {
    Use use =
        of(capability)
            .orElseThrow(() -> CsiException.failedPrecondition("volume_capability: " + refusal()));
    String attached = context.getOrDefault(NODE, "");
    if (!attached.equals(nodeId)) {
      throw CsiException.failedPrecondition(
          attached.isEmpty()
              ? "the volume is not attached; call ControllerPublishVolume first"
              : "the volume is attached to node " + attached + ", and this is node " + nodeId);
    }
    return use.readOnlyIf(READ_ONLY.equals(context.get(ACCESS)));
  }
}
