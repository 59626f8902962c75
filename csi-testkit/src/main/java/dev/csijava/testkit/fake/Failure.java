package dev.csijava.testkit.fake;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

/** The errors of the driver: a code and a sentence, no details. */
final class Failure {
  private Failure() {}

  static StatusRuntimeException invalid(String sentence) {
    return Status.INVALID_ARGUMENT.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException notFound(String kind, String id) {
    return Status.NOT_FOUND
        .withDescription("there is no " + kind + " " + shown(id))
        .asRuntimeException();
  }

  static StatusRuntimeException exists(String sentence) {
    return Status.ALREADY_EXISTS.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException precondition(String sentence) {
    return Status.FAILED_PRECONDITION.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException outOfRange(String sentence) {
    return Status.OUT_OF_RANGE.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException exhausted(String sentence) {
    return Status.RESOURCE_EXHAUSTED.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException aborted(String sentence) {
    return Status.ABORTED.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException unavailable(String sentence) {
    return Status.UNAVAILABLE.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException unauthenticated(String sentence) {
    return Status.UNAUTHENTICATED.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException internal(String sentence) {
    return Status.INTERNAL.withDescription(sentence).asRuntimeException();
  }

  static StatusRuntimeException unimplemented(String rpc) {
    return Status.UNIMPLEMENTED
        .withDescription("this driver does not offer " + rpc)
        .asRuntimeException();
  }

  /** Ids come from anybody: short, and without what would break a line. */
  private static String shown(String id) {
    String clean = id.replaceAll("\\p{Cntrl}", "?");
    return "\"" + (clean.length() > 80 ? clean.substring(0, 80) + "..." : clean) + "\"";
  }
}
