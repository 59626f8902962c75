package dev.csijava.examples.inline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/**
 * The conformance kit against the driver. It knows no volumes of a driver without a controller, so
 * it judges what can be judged without: {@link PodInfoIT} does the rest.
 */
class ConformanceIT extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Path root = directory.toRealPath();
    Mounter mounter = Mounter.system();
    CsiServer server =
        CsiServer.forDriver(
                PodInfoDriver.driver(
                    "node-1", VolumeFolders.open(root.resolve("run"), mounter), mounter))
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
        assertThat(root.resolve("run")).isEmptyDirectory();
      }
    };
  }
}
