package dev.csijava.core.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;

/**
 * Health of volumes as the controller sees it: capabilities GET_VOLUME_HEALTH and
 * LIST_VOLUME_HEALTH of CSI 1.13.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface ControllerHealth {
  /**
   * Health of one volume: no status entry when it is healthy. NOT_FOUND if it does not exist.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request, CallContext call);

  /**
   * The volumes that are not healthy, and only those, in a stable order.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call);
}
