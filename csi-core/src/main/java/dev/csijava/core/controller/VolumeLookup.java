package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerGetVolumeResponse;

/**
 * Capability GET_VOLUME (alpha).
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface VolumeLookup {
  /**
   * The present state of one volume. NOT_FOUND if it does not exist.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerGetVolumeResponse controllerGetVolume(
      ControllerGetVolumeRequest request, CallContext call);
}
