package dev.csijava.core.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;

/**
 * Capability EXPAND_VOLUME of the node.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface NodeExpansion {
  /**
   * Finishes the growth of a volume on this node. NOT_FOUND if it is unknown or not at that path.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeExpandVolumeResponse nodeExpandVolume(NodeExpandVolumeRequest request, CallContext call);
}
