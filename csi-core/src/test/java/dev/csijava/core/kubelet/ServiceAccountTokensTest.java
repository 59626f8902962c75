package dev.csijava.core.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ServiceAccountTokensTest {
  private static final String KEY = "csi.storage.k8s.io/serviceAccount.tokens";
  private static final String TWO =
      "{\"\":{\"token\":\"canary-1\",\"expirationTimestamp\":\"2026-11-29T10:00:00Z\"},"
          + "\"vault\":{\"token\":\"canary-2\",\"expirationTimestamp\":\"2026-11-29T12:00:00+01:00\"}}";

  @Test
  void tokensAreReadFromTheVolumeContext() {
    ServiceAccountTokens tokens = ServiceAccountTokens.of(Map.of(KEY, TWO), Map.of());

    assertThat(tokens.audiences()).containsExactly("", "vault");
    assertThat(tokens.token("")).contains("canary-1");
    assertThat(tokens.token("vault")).contains("canary-2");
    assertThat(tokens.expiration("vault")).contains(Instant.parse("2026-11-29T11:00:00Z"));
    assertThat(tokens.token("other")).isEmpty();
    assertThat(tokens.expiration("other")).isEmpty();
  }

  @Test
  void tokensInSecretsComeFirst() {
    String old = "{\"vault\":{\"token\":\"old\"}}";

    assertThat(ServiceAccountTokens.of(Map.of(), Map.of(KEY, TWO)).token("vault"))
        .contains("canary-2");
    assertThat(ServiceAccountTokens.of(Map.of(KEY, old), Map.of(KEY, TWO)).token("vault"))
        .contains("canary-2");
  }

  @Test
  void requestWithoutTokensHasNone() {
    assertThat(ServiceAccountTokens.of(Map.of(), Map.of()).isEmpty()).isTrue();
    assertThat(ServiceAccountTokens.of(Map.of(KEY, "{}"), Map.of()).isEmpty()).isTrue();
  }

  @Test
  void tokenWithoutExpirationIsRead() {
    ServiceAccountTokens tokens =
        ServiceAccountTokens.of(Map.of(KEY, "{\"a\":{\"token\":\"t\"}}"), Map.of());

    assertThat(tokens.token("a")).contains("t");
    assertThat(tokens.expiration("a")).isEmpty();
  }

  @Test
  void noTokenIsPrinted() {
    assertThat(ServiceAccountTokens.of(Map.of(KEY, TWO), Map.of()))
        .asString()
        .contains("vault")
        .doesNotContain("canary");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "canary",
        "[\"canary\"]",
        "{\"a\":{\"token\":\"canary\"",
        "{\"a\":canary canary}",
        "{\"a\":\"canary\"}",
        "{\"a\":{\"canary\":\"canary\"}}",
        "{\"a\":{\"token\":[\"canary\"]}}",
        "{\"a\":{\"token\":\"t\",\"expirationTimestamp\":\"canary\"}}",
      })
  void malformedTokensAreRefusedWithoutShowingThem(String json) {
    assertThatExceptionOfType(CsiException.class)
        .isThrownBy(() -> ServiceAccountTokens.of(Map.of(KEY, json), Map.of()))
        .withMessageStartingWith(KEY + ": ")
        .satisfies(e -> assertThat(e.code()).isEqualTo(Status.Code.INVALID_ARGUMENT))
        .satisfies(e -> assertThat(stackTraceOf(e)).doesNotContain("canary"));
  }

  private static String stackTraceOf(Throwable e) {
    StringWriter text = new StringWriter();
    e.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
