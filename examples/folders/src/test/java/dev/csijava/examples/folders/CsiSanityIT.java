package dev.csijava.examples.folders;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver of the document passes the community's test. */
class CsiSanityIT {
  @Test
  void csiSanityPasses(@TempDir Path directory) throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Path sanity = sanity();
    assumeTrue(Files.isExecutable(sanity), "csi-sanity is not installed");
    Path root = directory.toRealPath();
    Path socket = root.resolve("csi.sock");
    FolderStore store = FolderStore.open(root.resolve("volumes"));
    try (CsiServer server =
        CsiServer.forDriver(FolderDriver.driver("node-1", store))
            .endpoint(CsiEndpoint.unix(socket))
            .start()) {
      Path output = root.resolve("output");
      Process process =
          new ProcessBuilder(
                  List.of(
                      sanity.toString(),
                      "--csi.endpoint",
                      server.endpoint().toString(),
                      "--csi.mountdir",
                      root.resolve("mount").toString(),
                      "--csi.stagingdir",
                      root.resolve("staging").toString()))
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      try {
        assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
      } finally {
        process.destroyForcibly();
      }
      assertThat(process.exitValue()).as(Files.readString(output)).isZero();
    } finally {
      for (Mount left : MountTable.read().below(root)) {
        Mounter.system().unmount(left.target());
      }
    }
  }

  /** Where the build put it, or else on the path. */
  private static Path sanity() throws IOException {
    String given = System.getProperty("csi.sanity", "");
    if (!given.isEmpty()) {
      return Path.of(given);
    }
    return Stream.of(System.getenv("PATH").split(":", -1))
        .map(folder -> Path.of(folder, "csi-sanity"))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(Path.of("csi-sanity"));
  }
}
