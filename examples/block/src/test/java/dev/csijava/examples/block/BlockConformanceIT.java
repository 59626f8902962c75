package dev.csijava.examples.block;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit against the controller and one of the nodes. */
class BlockConformanceIT extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    assumeTrue(TwoNodes.canMount(), "loop devices need root");
    Path root = directory.toRealPath();
    TwoNodes nodes = TwoNodes.start(root);
    Settings settings =
        Settings.forEndpoint(nodes.endpoint(TwoNodes.ONE))
            .controllerEndpoint(nodes.endpoint(TwoNodes.CONTROLLER))
            .accessType(Settings.AccessType.BLOCK)
            .secondNodeId(TwoNodes.TWO)
            .attachLimit(true)
            .targetDirectory(root.resolve("targets"))
            .stagingDirectory(root.resolve("staging"))
            .size(16L << 20)
            .expandSize(32L << 20)
            .repetitions(2)
            .build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() throws IOException {
        nodes.close();
      }
    };
  }
}
