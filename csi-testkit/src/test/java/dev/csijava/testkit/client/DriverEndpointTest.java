package dev.csijava.testkit.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DriverEndpointTest {
  @ParameterizedTest
  @ValueSource(
      strings = {"unix:///run/x.sock", "unix:/run/x.sock", "/run/x.sock", "UNIX:///run/x.sock"})
  void readsUnixSockets(String text) {
    assertThat(DriverEndpoint.parse(text).path()).contains(Path.of("/run/x.sock"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"tcp://127.0.0.1:10000", "dns:///127.0.0.1:10000"})
  void readsPorts(String text) {
    assertThat(DriverEndpoint.parse(text).address())
        .isEqualTo(new InetSocketAddress(InetAddress.getLoopbackAddress(), 10000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x.sock", "http://x", "tcp://host", "tcp://:1", "tcp://h:0", "tcp://h:x"})
  void refusesTheRestWithASentence(String text) {
    assertThatThrownBy(() -> DriverEndpoint.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("unix:///absolute/path.sock");
  }
}
