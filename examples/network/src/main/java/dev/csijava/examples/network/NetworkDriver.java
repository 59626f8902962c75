package dev.csijava.examples.network;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import dev.csijava.core.Mode;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Puts the driver together. One process runs as the controller, where the export can be written to,
 * and one on each node. Both assemble the whole driver, so that both report the same capabilities.
 */
public final class NetworkDriver {
  private NetworkDriver() {}

  /**
   * Serves at CSI_ENDPOINT until SIGTERM.
   *
   * @param args {@code controller} or {@code node}
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Mode mode = Mode.valueOf(args[0].toUpperCase(Locale.ROOT));
    NetworkSettings settings = NetworkSettings.from(System.getenv());
    String node = System.getenv().getOrDefault("NODE_NAME", "");
    try (ExportStore store = new ExportStore(Path.of("/export"))) {
      if (mode == Mode.CONTROLLER) {
        store.open();
      } else {
        CredentialsFile.sweep(settings.runDirectory());
      }
      CsiServer.serve(driver(mode, node, settings, store, Mounter.system()));
    }
  }

  static CsiDriver driver(
      Mode mode, String node, NetworkSettings settings, ExportStore store, Mounter mounter) {
    NetworkNode nodeSide = new NetworkNode(settings, mounter);
    return CsiDriver.named("network.example.com")
        .version("1.0.0")
        .mode(mode)
        .controller(c -> c.volumes(new NetworkController(settings, store)).singleNodeMultiWriter())
        .node(
            n -> {
              n.publishing(nodeSide).stats(nodeSide).singleNodeMultiWriter();
              if (mode != Mode.CONTROLLER) {
                n.id(node);
              }
            })
        .build();
  }
}
