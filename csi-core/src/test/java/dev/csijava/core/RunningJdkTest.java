package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The build promises that these tests run on two JDKs; each run proves which one it got. */
class RunningJdkTest {

  @Test
  void testsRunOnTheJdkThatTheBuildChose() {
    assertThat(System.getProperty("csi.expected.java"))
        .as("csi.expected.java, which the build sets for each of the two runs")
        .isEqualTo(String.valueOf(Runtime.version().feature()));
  }
}
