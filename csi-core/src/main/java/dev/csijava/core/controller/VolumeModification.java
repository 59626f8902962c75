package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;

/**
 * Capability MODIFY_VOLUME.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface VolumeModification {
  /**
   * Changes a volume's mutable parameters, all or none. INVALID_ARGUMENT only if nothing was
   * changed: the resizer stops trying on that code.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request, CallContext call);
}
