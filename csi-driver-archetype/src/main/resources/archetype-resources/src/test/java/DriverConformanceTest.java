package ${package};

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit against the driver, with real mounts. */
class DriverConformanceTest extends CsiConformance {
  @TempDir static Path directory;

  @Override
  protected DriverUnderTest start() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Path root = directory.toRealPath();
    CsiServer server =
        CsiServer.forDriver(Driver.driver("node-1", VolumeStore.open(root.resolve("volumes"))))
            .endpoint(CsiEndpoint.unix(root.resolve("csi.sock")))
            .start();
    Settings settings =
        Settings.forEndpoint(server.endpoint().toString())
            .targetDirectory(root.resolve("target"))
            .stagingDirectory(root.resolve("staging"))
            .build();
    return new DriverUnderTest() {
      @Override
      public Settings settings() {
        return settings;
      }

      @Override
      public void close() throws IOException {
        server.close();
      }
    };
  }

  @Override
  protected Optional<Path> reportDirectory() {
    return Optional.of(Path.of("target", "conformance"));
  }
}
