package dev.csijava.examples.folders;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import java.nio.file.Path;

/** A driver whose volumes are folders of this node. */
// region driver
public final class FolderDriver {
  private FolderDriver() {}

  public static void main(String[] args) throws Exception {
    FolderStore store = FolderStore.open(Path.of(System.getenv("FOLDERS_ROOT")));
    CsiServer.serve(driver(System.getenv("NODE_NAME"), store)); // at CSI_ENDPOINT, until SIGTERM
  }

  static CsiDriver driver(String node, FolderStore store) {
    return CsiDriver.named("folders.example.com")
        .version("1.0.0")
        .controller(c -> c.volumes(new FolderVolumes(store)))
        .node(n -> n.id(node).publishing(new FolderNode(store)))
        .build();
  }
}
// endregion
