package dev.csijava.core.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;

/**
 * Health of a published volume as its node sees it: capability GET_VOLUME_HEALTH of the node, CSI
 * 1.13.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface NodeHealth {
  /**
   * Health of one volume at one path: no status entry when it is healthy.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeGetVolumeHealthResponse nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, CallContext call);
}
