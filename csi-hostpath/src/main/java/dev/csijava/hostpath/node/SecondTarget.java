package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;

/**
 * Whether a volume may be published at one more target of this node. A volume in plain
 * SINGLE_NODE_WRITER may be joined in SINGLE_NODE_MULTI_WRITER: that is how kubelet asks once it
 * knows the newer mode.
 */
final class SecondTarget {
  private SecondTarget() {}

  /**
   * @param mode how the volume is to be published
   * @param others where it is published already
   * @throws CsiException FAILED_PRECONDITION
   */
  static void require(Mode mode, List<Publication> others) {
    if (others.isEmpty()) {
      return;
    }
    if (allowsOneTarget(mode)) {
      throw CsiException.failedPrecondition(
          "access mode "
              + mode
              + " allows one target, and the volume is published at "
              + at(others));
    }
    List<Publication> exclusive =
        others.stream().filter(p -> p.getAccessMode() == Mode.SINGLE_NODE_SINGLE_WRITER).toList();
    if (!exclusive.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is published for a single writer at " + at(exclusive));
    }
  }

  private static boolean allowsOneTarget(Mode mode) {
    return mode == Mode.SINGLE_NODE_WRITER
        || mode == Mode.SINGLE_NODE_SINGLE_WRITER
        || mode == Mode.SINGLE_NODE_READER_ONLY;
  }

  private static String at(List<Publication> publications) {
    return publications.getFirst().getTargetPath();
  }
}
