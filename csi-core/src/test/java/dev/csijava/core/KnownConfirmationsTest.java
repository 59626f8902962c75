package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A driver that confirms by sending back what it was asked, as most do. */
@Timeout(60)
class KnownConfirmationsTest {
  private static final int NEWER_FIELD = 30_000;

  @Test
  void aFieldThatNobodyKnowsIsNotConfirmed() {
    VolumeCapability known = ValidRequests.block();
    VolumeCapability newer =
        known.toBuilder()
            .setUnknownFields(
                UnknownFieldSet.newBuilder()
                    .addField(NEWER_FIELD, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                    .build())
            .build();
    ValidateVolumeCapabilitiesRequest request =
        ValidateVolumeCapabilitiesRequest.newBuilder()
            .setVolumeId("v")
            .addVolumeCapabilities(newer)
            .build();
    CsiDriver driver =
        CsiDriver.named("a.b")
            .version("1")
            .controller(c -> c.validation(echo()).singleNodeMultiWriter())
            .build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ValidateVolumeCapabilitiesResponse answer =
          ControllerGrpc.newBlockingStub(served.channel()).validateVolumeCapabilities(request);

      assertThat(answer.getConfirmed().getVolumeCapabilitiesList()).containsExactly(known);
    }
  }

  private static CapabilityValidation echo() {
    return (request, call) -> {
      ValidateVolumeCapabilitiesResponse.Builder answer =
          ValidateVolumeCapabilitiesResponse.newBuilder();
      answer.getConfirmedBuilder().addAllVolumeCapabilities(request.getVolumeCapabilitiesList());
      return answer.build();
    };
  }
}
