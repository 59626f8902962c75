package dev.csijava.testkit.junit;

import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;

/**
 * The JUnit class as a vendor uses it, on the driver in memory, started in this process; with those
 * groups of cases of which none is skipped on it. All cases are run by FakeConformanceTest.
 */
class FakeDriverIsConformantTest extends CsiConformance {
  private static final List<String> GROUPS =
      List.of(
          "CTRL-VALIDATE-",
          "CTRL-DELETE-",
          "CTRL-LISTVOL-",
          "CTRL-LISTSNAP-",
          "NODE-STAGE-",
          "NODE-UNSTAGE-",
          "NODE-UNPUB-",
          "SMETA-STREAM-");

  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected List<Case> cases() {
    return super.cases().stream()
        .filter(tested -> GROUPS.stream().anyMatch(tested.id()::startsWith))
        .toList();
  }

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
