package dev.csijava.hostpath;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.copy.DescriptorFileCopier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A driver in a process of its own that never gets beyond its first cut, so that it is killed. */
final class KilledAtCut {
  private KilledAtCut() {}

  /** Arguments: the directory of the test and a port. */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    CutMachine machine = new CutMachine(new DescriptorFileCopier());
    CountDownLatch never = new CountDownLatch(1);
    machine.atCut(
        from -> {
          Files.createFile(root.resolve("cutting"));
          try {
            never.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
    HostpathSettings settings =
        HostpathSettings.of(
            "hostpath.csi.k8s.io", "test", "node-1", root.resolve("state"), root.resolve("run"));
    try (HostpathDriver driver = machine.open(settings);
        CsiServer server =
            CsiServer.forDriver(driver.driver())
                .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:" + arguments[1]))
                .start()) {
      server.endpoint();
      never.await();
    }
  }
}
