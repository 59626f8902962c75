package dev.csijava.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.MountTable;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance kit against the driver of the README. The kit makes its volumes by a controller,
 * of which there is none here, so it judges what can be judged without: {@link MemoDriverIT} does
 * the rest.
 */
class ConformanceIT extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Path root = directory.toRealPath();
    CsiServer server =
        CsiServer.forDriver(MemoDriver.driver("node-1"))
            .endpoint(CsiEndpoint.unix(root.resolve("csi.sock")))
            .start();
    Settings settings =
        Settings.forEndpoint(server.endpoint().toString())
            .targetDirectory(root.resolve("targets"))
            .stagingDirectory(root.resolve("staging"))
            .repetitions(3)
            .build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() throws IOException {
        server.close();
        assertThat(MountTable.read().below(root)).isEmpty();
      }
    };
  }
}
