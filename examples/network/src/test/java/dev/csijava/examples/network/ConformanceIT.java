package dev.csijava.examples.network;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.Mode;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.junit.CsiConformance;
import dev.csijava.testkit.junit.DriverUnderTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;

/** The conformance kit against controller and node, each on its own socket. */
class ConformanceIT extends CsiConformance {
  @TempDir static Path directory = Path.of("set by JUnit");

  @Override
  protected DriverUnderTest start() throws IOException {
    Bindfs.assumeThere();
    Path root = directory.toRealPath();
    Path export = Files.createDirectory(root.resolve("export"));
    NetworkSettings network = Bindfs.settings(export, "", root.resolve("run"));
    ExportStore store = new ExportStore(export);
    store.open();
    CsiServer controller = serve(Mode.CONTROLLER, network, store, root);
    CsiServer node = serve(Mode.NODE, network, new ExportStore(root.resolve("unused")), root);
    Settings settings =
        Settings.forEndpoint(node.endpoint().toString())
            .controllerEndpoint(controller.endpoint().toString())
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
        node.close();
        controller.close();
        store.close();
        assertThat(MountTable.read().below(root)).isEmpty();
        try (Stream<Path> left = Files.list(export)) {
          assertThat(left).containsExactly(export.resolve(".lock"));
        }
      }
    };
  }

  private static CsiServer serve(Mode mode, NetworkSettings settings, ExportStore store, Path root)
      throws IOException {
    return CsiServer.forDriver(
            NetworkDriver.driver(mode, "node-1", settings, store, Mounter.system()))
        .endpoint(CsiEndpoint.unix(root.resolve(mode + ".sock")))
        .start();
  }
}
