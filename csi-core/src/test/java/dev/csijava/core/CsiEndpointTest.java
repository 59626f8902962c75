package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which endpoints are taken, and what is said of the others (GEN-EP-001 to -003, -007). */
class CsiEndpointTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "unix:///run/csi/csi.sock",
        "unix:/run/csi/csi.sock",
        "/run/csi/csi.sock",
        "UNIX:///run/csi/csi.sock"
      })
  @Proves("GEN-EP-002")
  void theUsualFormsOfAUnixSocketAreTaken(String endpoint) {
    assertThat(CsiEndpoint.parse(endpoint).path()).contains(Path.of("/run/csi/csi.sock"));
    assertThat(CsiEndpoint.parse(endpoint)).hasToString("unix:///run/csi/csi.sock");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp://127.0.0.1:10000", "tcp://localhost:10000", "tcp://[::1]:10000"})
  void tcpIsTakenOnTheLoopbackInterface(String endpoint) {
    assertThat(CsiEndpoint.parse(endpoint).path()).isEmpty();
    assertThat(CsiEndpoint.parse(endpoint).toString()).startsWith("tcp://").endsWith(":10000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "tcp://0.0.0.0:10000",
        "tcp://192.0.2.1:10000",
        "tcp://[::]:1",
        "tcp://10.0.0.1:1"
      })
  @Proves("GEN-EP-003")
  void tcpIsRefusedWhereTheNetworkCouldReachIt(String endpoint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiEndpoint.parse(endpoint))
        .withMessageContaining("loopback");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "csi.sock",
        "unix://",
        "unix:",
        "unix://relative/csi.sock",
        "http://localhost:1",
        "tcp://127.0.0.1",
        "tcp://",
        "@abstract",
        "unix:///a\0b"
      })
  @Proves({"GEN-EP-003", "GEN-EP-007"})
  void everythingElseIsRefusedWithASentence(String endpoint) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiEndpoint.parse(endpoint))
        .satisfies(e -> assertThat(e.getMessage()).hasSizeGreaterThan(30));
  }

  @Test
  void b156APathMayHave107BytesAndNoMore() {
    String longest = "/" + "a".repeat(106);
    assertThat(CsiEndpoint.parse(longest).path()).contains(Path.of(longest));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiEndpoint.parse(longest + "b"))
        .withMessageContaining("108 bytes")
        .withMessageContaining("choose a shorter directory");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiEndpoint.parse("/" + "é".repeat(54)))
        .withMessageContaining("109 bytes");
  }

  @Test
  void theEnvironmentNamesTheEndpoint() {
    assertThat(CsiEndpoint.fromEnvironment(Map.of("CSI_ENDPOINT", " unix:///a.sock ")).path())
        .contains(Path.of("/a.sock"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiEndpoint.fromEnvironment(Map.of()))
        .withMessageContaining("CSI_ENDPOINT is not set");
  }
}
