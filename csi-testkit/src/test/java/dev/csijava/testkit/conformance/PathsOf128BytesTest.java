package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathsOf128BytesTest {
  @Test
  void casesThatRunAtOnceHaveNoPathInCommon() {
    String one = NodeSteps.of128Bytes("/staging/run/1");
    assertThat(one).hasSize(128).startsWith("/staging/run/");
    assertThat(one).isNotEqualTo(NodeSteps.of128Bytes("/staging/run/2"));
    assertThat(NodeSteps.of128Bytes("/" + "d".repeat(200))).hasSize(202);
  }
}
