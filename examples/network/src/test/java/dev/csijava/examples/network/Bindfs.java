package dev.csijava.examples.network;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** In place of NFS: bindfs shows a directory of this machine through a FUSE mount helper. */
final class Bindfs {
  private Bindfs() {}

  /** Skips the test where it can't run. */
  static void assumeThere() {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    assumeTrue(Files.exists(Path.of("/dev/fuse")), "there is no FUSE on this machine");
    assumeTrue(
        Stream.of(System.getenv("PATH").split(":", -1))
            .anyMatch(folder -> Files.isExecutable(Path.of(folder, "bindfs"))),
        "bindfs is not installed");
  }

  /**
   * The settings for it.
   *
   * @param export the server's directory
   * @param credentialsOption an option of bindfs that takes a file, or empty
   */
  static NetworkSettings settings(Path export, String credentialsOption, Path run) {
    return new NetworkSettings(
        "fuse.bindfs",
        export.toString(),
        List.of("nosuid", "nodev"),
        Set.of("ro", "noatime", "noexec"),
        credentialsOption,
        run);
  }
}
