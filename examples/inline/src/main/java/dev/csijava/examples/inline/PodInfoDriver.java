package dev.csijava.examples.inline;

import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Path;

/** Puts the driver together: one process a node, and nothing else. */
public final class PodInfoDriver {
  private PodInfoDriver() {}

  /**
   * Serves at CSI_ENDPOINT until SIGTERM. NODE_NAME is the node's id, PODINFO_RUN a directory on
   * the host's {@code /run}, which a reboot empties together with the mounts.
   */
  public static void main(String[] args) throws IOException, InterruptedException {
    Mounter mounter = Mounter.system();
    VolumeFolders folders = VolumeFolders.open(Path.of(System.getenv("PODINFO_RUN")), mounter);
    CsiServer.serve(driver(System.getenv("NODE_NAME"), folders, mounter));
  }

  static CsiDriver driver(String node, VolumeFolders folders, Mounter mounter) {
    return CsiDriver.named("podinfo.example.com")
        .version("1.0.0")
        .node(n -> n.id(node).publishing(new PodInfoPublishing(folders, mounter)))
        .build();
  }
}
