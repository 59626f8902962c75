package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;

/**
 * ValidateVolumeCapabilities, which every Controller service must answer.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface CapabilityValidation {
  /**
   * Says whether a volume can be used in each of the given ways. Set {@code confirmed} only if all
   * of them can; leave it unset, with a message of at most 128 bytes, if any can't. NOT_FOUND for
   * an unknown volume.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call);
}
