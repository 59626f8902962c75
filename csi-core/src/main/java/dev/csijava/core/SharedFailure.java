package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * A failure that callers with other secrets may get: a call joins another one whatever the secrets
 * of both are, so those of the one that runs must be gone before the failure leaves it (rule K3).
 */
final class SharedFailure {
  private SharedFailure() {}

  /** Runs the work; what it throws is of the same kind, without any secret of the request. */
  static void guard(Message request, Runnable work) {
    try {
      work.run();
    } catch (CsiException failure) {
      throw new CsiException(
          failure.code(),
          Redactor.strike(failure.getMessage(), request),
          struck(failure.getCause(), request));
    } catch (StatusRuntimeException failure) {
      throw clean(failure.getStatus(), request);
    } catch (Throwable failure) { // Kotlin throws checked exceptions without saying so
      if (failure instanceof StatusException status) {
        throw clean(status.getStatus(), request);
      }
      Throwable clean = Redactor.strike(failure, request);
      if (clean instanceof Error error) {
        throw error;
      }
      throw clean instanceof RuntimeException accident
          ? accident
          : new IllegalStateException("the handler failed", clean);
    }
  }

  private static StatusRuntimeException clean(Status status, Message request) {
    String description = status.getDescription();
    return status
        .withDescription(description == null ? null : Redactor.strike(description, request))
        .withCause(null)
        .asRuntimeException();
  }

  private static @Nullable Throwable struck(@Nullable Throwable cause, Message request) {
    return cause == null ? null : Redactor.strike(cause, request);
  }
}
