package dev.csijava.hostpath.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Statuses that calls fail with. */
public final class Failures {
  private Failures() {}

  /** Asserts the code, and that there is a sentence. */
  public static CsiException assertFails(Status.Code code, ThrowingCallable call) {
    CsiException failure = catchThrowableOfType(CsiException.class, call);
    assertThat(failure).as("the call should have failed with %s", code).isNotNull();
    assertThat(failure.code()).as(failure.getMessage()).isEqualTo(code);
    assertThat(failure.getMessage()).contains(" ");
    return failure;
  }

  /** A call over a socket. */
  @FunctionalInterface
  public interface Call {
    /** Makes it. */
    void run() throws Exception;
  }

  /** Asserts the status of a call over a socket. */
  public static StatusRuntimeException assertCode(Status.Code code, Call call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("the call should have failed with %s", code).isNotNull();
    assertThat(failure.getStatus().getCode()).as(failure.getMessage()).isEqualTo(code);
    return failure;
  }
}
