package dev.csijava.hostpath.request;

import com.google.protobuf.DiscardUnknownFieldsParser;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.csijava.spec.v1.VolumeCapability;

/** A capability without the fields that a newer caller may have set. */
public final class KnownFields {
  private KnownFields() {}

  /** A copy without them. */
  public static VolumeCapability only(VolumeCapability capability) {
    try {
      return DiscardUnknownFieldsParser.wrap(VolumeCapability.parser())
          .parseFrom(capability.toByteString());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a message that was parsed does not parse again", e);
    }
  }
}
