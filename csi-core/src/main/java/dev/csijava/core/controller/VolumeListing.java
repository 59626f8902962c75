package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;

/**
 * Capability LIST_VOLUMES.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface VolumeListing {
  /**
   * Lists volumes in a stable order. A token that was not handed out is ABORTED.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call);
}
