package dev.csijava.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;

/** The build runs these tests on two JDKs; each run is on the one that it is meant for. */
class BuildJdkTest {

  @Test
  void theseTestsRunOnTheJdkThatTheBuildAskedFor() {
    String expected = System.getProperty("csi.expected.java", "");
    assumeTrue(!expected.isEmpty(), "csi.expected.java is set by the build only");

    assertThat(Runtime.version().feature()).isEqualTo(Integer.parseInt(expected));
  }
}
