package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;

/**
 * Capability EXPAND_VOLUME of the controller.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface ControllerExpansion {
  /**
   * Grows a volume; never shrinks one. OUT_OF_RANGE, and the size unchanged, if that can't be.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request, CallContext call);
}
