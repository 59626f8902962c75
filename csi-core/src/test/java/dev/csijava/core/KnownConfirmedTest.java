package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import org.junit.jupiter.api.Test;

/** What a driver confirms, seen by a caller that knows more of the interface than we do. */
class KnownConfirmedTest {
  @Test
  void aFieldThatNobodyHereKnowsIsNotConfirmedByADriverThatEchoesWhatItWasAsked() {
    VolumeCapability known = ValidRequests.validate().getVolumeCapabilities(0);
    UnknownFieldSet newer =
        UnknownFieldSet.newBuilder()
            .addField(30000, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    ValidateVolumeCapabilitiesRequest request =
        ValidRequests.validate()
            .setVolumeCapabilities(0, known.toBuilder().setUnknownFields(newer))
            .build();
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      ValidateVolumeCapabilitiesResponse response =
          ControllerGrpc.newBlockingStub(served.channel()).validateVolumeCapabilities(request);

      assertThat(response.getConfirmed().getVolumeCapabilitiesList()).containsExactly(known);
    }
  }
}
