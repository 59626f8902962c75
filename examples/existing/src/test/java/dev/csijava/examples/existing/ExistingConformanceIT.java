package dev.csijava.examples.existing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit, on a disk that was there before. */
class ExistingConformanceIT extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    assumeTrue(OneNode.canMount(), "mounts need root");
    Path root = directory.toRealPath();
    OneNode node = OneNode.start(root);
    Settings settings =
        Settings.forEndpoint(node.endpoint())
            .existingVolumeId(node.id(OneNode.SSD))
            .targetDirectory(root.resolve("targets"))
            .stagingDirectory(root.resolve("staging"))
            .repetitions(2)
            .build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() throws IOException {
        node.close();
      }
    };
  }
}
