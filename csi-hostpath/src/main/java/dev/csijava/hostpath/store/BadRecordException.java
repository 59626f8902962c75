package dev.csijava.hostpath.store;

/** A record can't be used; the message says why. */
final class BadRecordException extends Exception {
  private static final long serialVersionUID = 1L;

  BadRecordException(String message) {
    super(message);
  }
}
