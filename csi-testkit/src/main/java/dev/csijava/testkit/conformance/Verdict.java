package dev.csijava.testkit.conformance;

/**
 * What is said about a row.
 *
 * @since 0.1.0
 */
public enum Verdict {
  /** It holds. */
  PASSED,
  /** It does not hold. */
  FAILED,
  /** It was not looked at, for a reason. */
  SKIPPED,
  /** Nobody can look at it from outside. */
  UNTESTABLE
}
