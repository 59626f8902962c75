package dev.csijava.testkit.conformance;

import io.grpc.Status;
import java.time.Duration;
import java.util.function.Supplier;

/** Asks as Kubernetes' callers do: what is not final is asked again, in the same words. */
final class Retries {
  /** So soon that a call is often given up before its answer comes. */
  private static final Duration IMPATIENT = Duration.ofMillis(3);

  private Retries() {}

  /** Whether a caller takes the call for one that may still be at work. */
  static boolean nonFinal(Status.Code code) {
    return switch (code) {
      case CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED -> true;
      default -> false;
    };
  }

  /** The final answer, which must be OK for the row. */
  static <T> T answer(CaseContext c, String row, Supplier<T> call) {
    return c.ok(row, outcome(c, call));
  }

  /** How the call ends finally. */
  static <T> Outcome<T> outcome(CaseContext c, Supplier<T> call) {
    return Patience.until(
        c.settings().callTimeout(),
        () -> Outcome.of(call),
        outcome -> outcome.ok() || !nonFinal(outcome.code()));
  }

  /** The same case with calls that are given up at once. */
  static CaseContext impatient(CaseContext c) {
    return c.calling(true, IMPATIENT);
  }
}
