package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;

/**
 * Capability GET_CAPACITY.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Capacity {
  /**
   * How much room there is for new volumes, in bytes. Unknown parameters must not be refused: the
   * provisioner sends keys that are not the driver's.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  GetCapacityResponse getCapacity(GetCapacityRequest request, CallContext call);
}
