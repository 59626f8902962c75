package dev.csijava.core;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;

/**
 * Leaves out of a confirmation what this version of the interface does not know. A driver confirms
 * by sending back the capabilities that it was asked about, and a newer caller's fields would go
 * back with them although nobody has looked at them (CTRL-VALIDATE-008).
 */
final class KnownConfirmations {
  private static final Parser<ValidateVolumeCapabilitiesResponse> KNOWN =
      DiscardUnknownFieldsParser.wrap(ValidateVolumeCapabilitiesResponse.parser());

  private KnownConfirmations() {}

  static void keep(Handlers handlers) {
    handlers.<ValidateVolumeCapabilitiesRequest, ValidateVolumeCapabilitiesResponse>decorate(
        Rpc.VALIDATE_VOLUME_CAPABILITIES,
        inner -> (request, call) -> known(inner.handle(request, call)));
  }

  private static ValidateVolumeCapabilitiesResponse known(
      ValidateVolumeCapabilitiesResponse answer) {
    try {
      // A missing answer is for the stage that checks answers.
      return answer == null ? answer : KNOWN.parseFrom(answer.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that was built does not parse", e);
    }
  }
}
