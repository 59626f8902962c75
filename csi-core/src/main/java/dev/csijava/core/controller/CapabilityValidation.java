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

  /**
   * The answer that the volume can be used in all these ways: what the request asks about,
   * repeated. For a driver that has looked at all of it: capabilities, context and parameters.
   * Fields that this version of CSI does not know are left out by the framework.
   *
   * @since 0.1.0
   */
  static ValidateVolumeCapabilitiesResponse confirmed(ValidateVolumeCapabilitiesRequest request) {
    ValidateVolumeCapabilitiesResponse.Builder answer =
        ValidateVolumeCapabilitiesResponse.newBuilder();
    answer
        .getConfirmedBuilder()
        .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
        .putAllVolumeContext(request.getVolumeContextMap())
        .putAllParameters(request.getParametersMap())
        .putAllMutableParams(request.getMutableParamsMap());
    return answer.build();
  }

  /**
   * The answer that the volume can't be used in one of these ways.
   *
   * @param reason for people, at most 128 bytes
   * @since 0.1.0
   */
  static ValidateVolumeCapabilitiesResponse notConfirmed(String reason) {
    return ValidateVolumeCapabilitiesResponse.newBuilder().setMessage(reason).build();
  }
}
