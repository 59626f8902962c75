package dev.csijava.testkit.conformance;

/** Ends a case early; what is to be said was said, or is said here. */
final class CaseStopped extends RuntimeException {
  private static final long serialVersionUID = 1;

  /** Why a case ends. */
  enum Kind {
    /** A row failed, and the rest of the case has nothing to stand on. */
    FAILED,
    /** Something that the case needs is not there. */
    SKIPPED,
    /** What the case needs could not be made. */
    UNPREPARED
  }

  private final Kind kind;

  CaseStopped(Kind kind, String message) {
    super(message, null, false, false);
    this.kind = kind;
  }

  Kind kind() {
    return kind;
  }
}
