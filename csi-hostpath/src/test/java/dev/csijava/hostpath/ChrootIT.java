package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.hostpath.testing.Client;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Programs;
import dev.csijava.hostpath.testing.ServedDriver;
import dev.csijava.spec.v1.GetCapacityRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The driver where the mount of its root directory is not shown. */
class ChrootIT {
  /** All of this machine's directories in a new root, which is no mount; but {@code data} is. */
  private static final String ENTER =
      """
      set -e
      root=$1
      shift
      for one in /*; do
        if [ -L "$one" ]; then
          cp --no-dereference "$one" "$root$one"
        elif [ -d "$one" ]; then
          mkdir "$root$one"
          mount --bind "$one" "$root$one"
        fi
      done
      mkdir "$root/csi-data"
      mount --bind "$root/csi-data" "$root/csi-data"
      exec chroot "$root" "$@"
      """;

  @Test
  @DisplayName("room is asked of the file system, not of a mount that isn't shown")
  void roomIsKnownWhereTheMountIsNotShown(@TempDir Path directory) throws Exception {
    assumeTrue(ServedDriver.canMount(), "mounts need root");
    assumeTrue(Programs.missing("unshare", "chroot").isEmpty(), "unshare and chroot are needed");
    Path root = Files.createDirectory(directory.toRealPath().resolve("root"));
    int port = MainProcess.freePort();
    Process process = start(root, port, directory.resolve("log"));
    try (Client client = new Client(port)) {
      assertThat(
              client
                  .controller()
                  .getCapacity(GetCapacityRequest.getDefaultInstance())
                  .getAvailableCapacity())
          .isPositive();
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  private static Process start(Path root, int port, Path log) throws IOException {
    List<String> command =
        new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", ENTER, "sh", root.toString()));
    command.addAll(
        JavaProcess.of(
                "dev.csijava.hostpath.Main",
                "--endpoint=tcp://127.0.0.1:" + port,
                "--nodeid=node-1",
                "--statedir=/csi-data/state",
                "--rundir=/csi-data/run")
            .command());
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }
}
