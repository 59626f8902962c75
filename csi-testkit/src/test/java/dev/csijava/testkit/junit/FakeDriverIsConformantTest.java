package dev.csijava.testkit.junit;

import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The JUnit class as a vendor uses it, on the driver in memory, started in this process. */
class FakeDriverIsConformantTest extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    FakeDriver driver = FakeDriver.builder().start();
    Settings settings =
        Settings.forEndpoint(driver.endpoint())
            .targetDirectory(directory.resolve("targets"))
            .stagingDirectory(directory.resolve("staging"))
            .repetitions(2)
            .build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() {
        driver.close();
      }
    };
  }
}
