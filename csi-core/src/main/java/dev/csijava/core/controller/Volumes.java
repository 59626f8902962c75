package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;

/**
 * Capability CREATE_DELETE_VOLUME.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Volumes extends CapabilityValidation {
  /**
   * Makes a volume, or finds the one that an equal request by the same name made. ALREADY_EXISTS if
   * the name belongs to a different request; OUT_OF_RANGE for a size that can't be had. Sizes are
   * bytes.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call);

  /**
   * Deletes a volume and its data; OK if the id is unknown. FAILED_PRECONDITION while it is in use.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call);
}
