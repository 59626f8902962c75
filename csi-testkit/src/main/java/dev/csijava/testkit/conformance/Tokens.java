package dev.csijava.testkit.conformance;

import java.util.List;

/** Tokens that no driver has given. */
final class Tokens {
  static final List<String> BAD = List.of("csi-testkit-no-token", "-1", "../x", " ");

  /**
   * To a driver whose tokens are numbers this is one past the end, whatever else it is to others.
   */
  static final String PAST = "2147483648";

  private Tokens() {}

  /** A driver that takes the token for one past the end has nothing more to list. */
  static void nothingMore(CaseContext c, int entries, String nextToken) {
    c.check(
        entries == 0 && nextToken.isEmpty(),
        "ABORTED, or nothing behind the token " + PAST,
        entries + " entries" + (nextToken.isEmpty() ? "" : " and a next_token"));
  }
}
