package dev.csijava.hostpath.attach;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.NodeAccess;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Record;
import java.util.List;
import java.util.Optional;

/**
 * What the records say of attached volumes. Without attaching nothing counts as attached, whatever
 * a time with it has left in the records. Immutable.
 *
 * @param enabled whether volumes are attached before they are staged
 * @param nodeId this node
 */
public record AttachedNodes(boolean enabled, String nodeId) {
  /** The nodes that a volume is attached to. */
  public List<String> of(Record volume) {
    return enabled
        ? volume.getVolume().getAttachmentsList().stream().map(Attachment::getNodeId).toList()
        : List.of();
  }

  /**
   * Refuses to go on while a volume is attached to any node.
   *
   * @throws CsiException FAILED_PRECONDITION, naming the node
   */
  public void requireDetached(Record volume) {
    List<String> nodes = of(volume);
    if (!nodes.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is attached to node " + nodes.getFirst());
    }
  }

  /**
   * How a volume may be mounted on this node: not at all if it had to be attached and is not, and
   * read-only if it is attached so.
   *
   * @param access what the request asks for
   * @throws CsiException FAILED_PRECONDITION
   */
  public NodeAccess require(Record volume, NodeAccess access) {
    if (!enabled) {
      return access;
    }
    Attachment attachment =
        on(volume, nodeId)
            .orElseThrow(
                () ->
                    CsiException.failedPrecondition(
                        "the volume is not attached to this node; call ControllerPublishVolume"
                            + " first"));
    return access.readOnlyIf(attachment.getReadonly());
  }

  static Optional<Attachment> on(Record volume, String nodeId) {
    return volume.getVolume().getAttachmentsList().stream()
        .filter(attachment -> attachment.getNodeId().equals(nodeId))
        .findFirst();
  }
}
