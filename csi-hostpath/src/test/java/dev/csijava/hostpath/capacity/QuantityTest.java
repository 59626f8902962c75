package dev.csijava.hostpath.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QuantityTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1, 1",
    "+7, 7",
    "1k, 1000",
    "1Ki, 1024",
    "10Gi, 10737418240",
    "1.5Mi, 1572864",
    ".5k, 500",
    "5., 5",
    "100m, 1",
    "1n, 1",
    "1500u, 1",
    "2E, 2000000000000000000",
    "7Ei, 8070450532247928832",
    "1e3, 1000",
    "12E2, 1200",
    "1.25e1, 13",
    "9223372036854775807, 9223372036854775807"
  })
  void amountsAreThoseOfKubernetes(String text, long bytes) {
    assertThat(Quantity.bytes(text)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", " 1", "1 Gi", "Gi", "1gi", "1K", "1KiB", "0x10", "-1", "8Ei", "1e99", "1.2.3"})
  void whatIsNoneIsRefused(String text) {
    assertThatThrownBy(() -> Quantity.bytes(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(text);
  }
}
