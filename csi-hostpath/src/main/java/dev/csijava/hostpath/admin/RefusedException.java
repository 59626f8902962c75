package dev.csijava.hostpath.admin;

/** A command is refused or failed; the message says why, for the operator. */
final class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  RefusedException(String message) {
    super(message);
  }
}
