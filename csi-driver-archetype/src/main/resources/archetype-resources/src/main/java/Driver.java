package ${package};

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import java.nio.file.Path;

/** Serves at CSI_ENDPOINT until SIGTERM. Volumes lie below DATA_ROOT; NODE_NAME is this node. */
public final class Driver {
  private static final String NAME = "${driverName}";

  private Driver() {}

  public static void main(String[] args) throws Exception {
    VolumeStore store = VolumeStore.open(Path.of(environment("DATA_ROOT")));
    CsiServer.serve(driver(environment("NODE_NAME"), store));
  }

  private static String environment(String name) {
    String value = System.getenv(name);
    if (value == null || value.isEmpty()) {
      System.err.println("set " + name);
      System.exit(2);
    }
    return value;
  }

  static CsiDriver driver(String node, VolumeStore store) {
    return CsiDriver.named(NAME)
        .version("${version}")
        .controller(c -> c.volumes(new Controller(store)).singleNodeMultiWriter())
        .node(n -> n.id(node).publishing(new Node(store)).singleNodeMultiWriter())
        .build();
  }
}
