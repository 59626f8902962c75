package dev.csijava.core;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Parser;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;

/**
 * Takes out of what a driver confirms the fields that this version of the interface does not know:
 * a driver that echoes the capabilities of the request can't have checked what a newer caller has
 * put into them (CTRL-VALIDATE-008).
 */
final class KnownConfirmed {
  private static final Parser<ValidateVolumeCapabilitiesResponse> PARSER =
      DiscardUnknownFieldsParser.wrap(ValidateVolumeCapabilitiesResponse.parser());

  private KnownConfirmed() {}

  static void keep(Handlers handlers) {
    handlers.<ValidateVolumeCapabilitiesRequest, ValidateVolumeCapabilitiesResponse>decorate(
        Rpc.VALIDATE_VOLUME_CAPABILITIES,
        inner -> (request, call) -> known(inner.handle(request, call)));
  }

  private static ValidateVolumeCapabilitiesResponse known(
      ValidateVolumeCapabilitiesResponse response) {
    try {
      return PARSER.parseFrom(response.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that was built does not parse again", e);
    }
  }
}
