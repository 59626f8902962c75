package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.spec.v1.NodeStageVolumeRequest;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Failures that calls with other secrets get, of code that throws checked ones without notice. */
class SharedFailureTest {
  private static final String SECRET = "s3cret-of-the-first";
  private static final NodeStageVolumeRequest REQUEST =
      ValidRequests.stage().putSecrets("password", SECRET).build();

  @Test
  void aCheckedStatusKeepsItsCodeAndNoSecret() {
    assertThatThrownBy(
            () -> guard(Status.ABORTED.withDescription(SECRET + " is wrong").asException()))
        .isInstanceOfSatisfying(
            StatusRuntimeException.class,
            failure -> {
              assertThat(failure.getStatus().getCode()).isEqualTo(Status.Code.ABORTED);
              assertThat(failure.getStatus().getDescription()).isEqualTo("*** is wrong");
            });
  }

  @Test
  void anyOtherCheckedFailureKeepsNoSecret() {
    assertThatThrownBy(() -> guard(new IOException("mount -o password=" + SECRET)))
        .isInstanceOf(RuntimeException.class)
        .hasStackTraceContaining("IOException")
        .satisfies(failure -> assertThat(String.valueOf(failure)).doesNotContain(SECRET));
    assertThatThrownBy(() -> guard(new IOException("no room")))
        .isInstanceOf(RuntimeException.class)
        .hasRootCauseMessage("no room");
  }

  private static void guard(Exception failure) {
    SharedFailure.guard(
        REQUEST,
        () -> {
          throw SharedFailureTest.<RuntimeException>unchecked(failure);
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Exception> E unchecked(Exception e) throws E {
    throw (E) e;
  }
}
