package dev.csijava.testkit.conformance;

import java.util.List;

/** Tokens that no driver has given. */
final class Tokens {
  static final List<String> BAD = List.of("csi-testkit-no-token", "-1", "2147483648", "../x", " ");

  private Tokens() {}
}
