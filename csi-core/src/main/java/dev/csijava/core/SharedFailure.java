package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Status;
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
      Status status = failure.getStatus();
      String description = status.getDescription();
      throw status
          .withDescription(description == null ? null : Redactor.strike(description, request))
          .withCause(null)
          .asRuntimeException();
    } catch (RuntimeException | Error failure) {
      Throwable clean = Redactor.strike(failure, request);
      if (clean instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) clean;
    }
  }

  private static @Nullable Throwable struck(@Nullable Throwable cause, Message request) {
    return cause == null ? null : Redactor.strike(cause, request);
  }
}
