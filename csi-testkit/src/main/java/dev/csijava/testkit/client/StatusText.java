package dev.csijava.testkit.client;

import io.grpc.Status;

/**
 * What people are told of a status: a line, never a stack trace.
 *
 * @since 0.1.0
 */
public final class StatusText {
  private StatusText() {}

  /**
   * The code, and what is known beyond it: the description, and what grpc found on this side, as in
   * {@code UNAVAILABLE: io exception (Connection refused: /run/csi.sock)}.
   *
   * @since 0.1.0
   */
  public static String of(Status status) {
    String text = status.getCode() + ": " + describe(status);
    Throwable cause = status.getCause();
    return cause == null || cause.getMessage() == null
        ? text
        : text + " (" + cause.getMessage().lines().findFirst().orElse("") + ")";
  }

  private static String describe(Status status) {
    String description = status.getDescription();
    return description == null ? "(no message)" : description;
  }
}
