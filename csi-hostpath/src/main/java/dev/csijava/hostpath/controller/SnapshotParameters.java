package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import java.util.Map;
import java.util.Set;

/**
 * The parameters of a snapshot class. {@code ignoreFailedRead} is the Go driver's: a truth value,
 * and anything else is refused. Any other parameter is accepted and not looked at.
 */
public final class SnapshotParameters {
  private static final String IGNORE_FAILED_READ = "ignoreFailedRead";
  private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");
  private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

  private SnapshotParameters() {}

  /**
   * Checks them.
   *
   * @throws CsiException INVALID_ARGUMENT
   */
  public static void require(Map<String, String> parameters) {
    String value = parameters.getOrDefault(IGNORE_FAILED_READ, "false");
    if (!TRUE.contains(value) && !FALSE.contains(value)) {
      throw CsiException.invalidArgument(
          "parameter ignoreFailedRead must be true or false, and is neither");
    }
  }

  /** Whether files that can't be read are left out of a snapshot instead of failing it. */
  public static boolean ignoresFailedRead(Map<String, String> parameters) {
    return TRUE.contains(parameters.getOrDefault(IGNORE_FAILED_READ, "false"));
  }
}
