package dev.csijava.testkit.conformance;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended: with an answer or with a refusal.
 *
 * @param <T> the type of the answer
 * @since 0.1.0
 */
public final class Outcome<T> {
  private final @Nullable T answer;
  private final Status status;

  private Outcome(@Nullable T answer, Status status) {
    this.answer = answer;
    this.status = status;
  }

  /**
   * Calls and waits.
   *
   * @since 0.1.0
   */
  public static <T> Outcome<T> of(Supplier<T> call) {
    try {
      return new Outcome<>(call.get(), Status.OK);
    } catch (StatusRuntimeException e) {
      return new Outcome<>(null, e.getStatus());
    }
  }

  /**
   * Whether it was answered.
   *
   * @since 0.1.0
   */
  public boolean ok() {
    return status.isOk();
  }

  /**
   * The code.
   *
   * @since 0.1.0
   */
  public Status.Code code() {
    return status.getCode();
  }

  /**
   * The message of a refusal, or nothing.
   *
   * @since 0.1.0
   */
  public String message() {
    return Objects.requireNonNullElse(status.getDescription(), "");
  }

  /**
   * The answer.
   *
   * @throws NullPointerException after a refusal
   * @since 0.1.0
   */
  public T answer() {
    return Objects.requireNonNull(answer, "the call was refused");
  }

  /** The answer; a refusal is thrown, as the call has thrown it. */
  T orThrow() {
    if (!ok()) {
      throw status.asRuntimeException();
    }
    return answer();
  }

  /** As in NOT_FOUND: no such volume. */
  @Override
  public String toString() {
    return ok() ? "OK" : code() + (message().isEmpty() ? "" : ": " + message());
  }
}
