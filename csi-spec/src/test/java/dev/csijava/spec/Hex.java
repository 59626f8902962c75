package dev.csijava.spec;

import com.google.protobuf.ByteString;
import java.util.HexFormat;

/** Bytes written down by hand. */
final class Hex {

  private Hex() {}

  /** The bytes of hexadecimal digits; white space between them groups what belongs together. */
  static ByteString bytes(String digits) {
    return ByteString.copyFrom(HexFormat.of().parseHex(digits.replaceAll("\\s", "")));
  }
}
