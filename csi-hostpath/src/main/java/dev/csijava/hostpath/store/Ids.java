package dev.csijava.hostpath.store;

import java.security.SecureRandom;
import java.util.HexFormat;

/**
 * New ids: a prefix and 128 random bits in lower-case hex, so a deleted name never meets its old
 * id.
 */
final class Ids {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final int BYTES = 16;

  private Ids() {}

  static String next(String prefix) {
    byte[] bits = new byte[BYTES];
    RANDOM.nextBytes(bits);
    return prefix + HexFormat.of().formatHex(bits);
  }
}
