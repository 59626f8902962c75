package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.NodeAccess;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.VolumeCapability;

/** Reads how a call wants a volume. */
final class NodeCapabilities {
  private NodeCapabilities() {}

  /**
   * @throws CsiException INVALID_ARGUMENT if the capability is malformed; FAILED_PRECONDITION if
   *     the volume can't serve it
   */
  static NodeAccess access(Record volume, VolumeCapability capability) {
    requireServed(capability);
    BackingChoice.refusal(volume, capability).ifPresent(NodeCapabilities::refuse);
    return BackingChoice.access(volume, capability)
        .readOnlyIf(AccessRules.isReaderOnly(capability.getAccessMode().getMode()));
  }

  /** What can be judged before the volume is known. */
  static void requireServed(VolumeCapability capability) {
    AccessRules.refusal(capability).ifPresent(NodeCapabilities::refuse);
  }

  private static void refuse(String why) {
    throw CsiException.failedPrecondition("volume_capability: " + why);
  }
}
