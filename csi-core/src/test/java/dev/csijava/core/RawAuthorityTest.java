package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Callers in other languages send no authority, an empty one or a path over a Unix socket. */
@Timeout(30)
class RawAuthorityTest {
  private static final String MISSING = "(none)";

  @ParameterizedTest
  @ValueSource(strings = {MISSING, "", "localhost", "/run/csi/csi.sock", "unix:%2Frun%2Fcsi.sock"})
  void b159ACallIsAnsweredWhateverItsAuthority(String authority) throws IOException {
    HandWrittenCall call =
        new HandWrittenCall(
            "csi.v1.Identity/GetPluginInfo", authority.equals(MISSING) ? null : authority);
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      assertThat(call.send(served.socket())).as("bytes of the answer").isGreaterThan(5);
    }
  }
}
