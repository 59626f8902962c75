package dev.csijava.hostpath.attach;

import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;

/** Whether two capabilities ask a node for the same use of a volume. */
final class SameUse {
  private SameUse() {}

  /**
   * Compares all but the modes for one node that write: callers send the newer ones of these for
   * the very same volume as soon as they know that the driver understands them.
   */
  static boolean is(VolumeCapability one, VolumeCapability other) {
    return canonical(one).equals(canonical(other));
  }

  private static VolumeCapability canonical(VolumeCapability capability) {
    Mode mode = capability.getAccessMode().getMode();
    VolumeCapability.Builder canonical = capability.toBuilder();
    if (mode == Mode.SINGLE_NODE_MULTI_WRITER) {
      canonical.getAccessModeBuilder().setMode(Mode.SINGLE_NODE_WRITER);
    }
    return canonical.build();
  }

  static boolean allowsManyNodes(VolumeCapability capability) {
    return switch (capability.getAccessMode().getMode()) {
      case MULTI_NODE_READER_ONLY, MULTI_NODE_SINGLE_WRITER, MULTI_NODE_MULTI_WRITER -> true;
      default -> false;
    };
  }
}
