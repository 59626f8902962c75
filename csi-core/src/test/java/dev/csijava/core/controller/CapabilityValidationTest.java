package dev.csijava.core.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse.Confirmed;
import dev.csijava.spec.v1.VolumeCapability;
import org.junit.jupiter.api.Test;

class CapabilityValidationTest {
  @Test
  void allThatWasAskedForIsConfirmed() {
    ValidateVolumeCapabilitiesRequest.Builder request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId("v")
            .addVolumeCapabilities(VolumeCapability.getDefaultInstance())
            .putVolumeContext("a", "1")
            .putParameters("b", "2")
            .putMutableParams("c", "3")
            .putSecrets("password", "canary");

    assertThat(CapabilityValidation.confirmed(request.build()))
        .isEqualTo(
            ValidateVolumeCapabilitiesResponse.newBuilder()
                .setConfirmed(
                    Confirmed.newBuilder()
                        .addVolumeCapabilities(VolumeCapability.getDefaultInstance())
                        .putVolumeContext("a", "1")
                        .putParameters("b", "2")
                        .putMutableParams("c", "3"))
                .build());
  }

  @Test
  void whatIsNotConfirmedHasAReasonAndNothingElse() {
    ValidateVolumeCapabilitiesResponse answer = CapabilityValidation.notConfirmed("no block");

    assertThat(answer.hasConfirmed()).isFalse();
    assertThat(answer.getMessage()).isEqualTo("no block");
  }
}
