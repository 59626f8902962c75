package dev.csijava.hostpath.admin;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the driver that a command is about keeps its things; by the driver's own flags. */
final class PlaceOptions {
  @Option(
      names = "--statedir",
      paramLabel = "DIRECTORY",
      defaultValue = "/csi-data-dir",
      description = "The state directory of this driver. Default: ${DEFAULT-VALUE}")
  private Path stateDirectory = Path.of("/csi-data-dir");

  @Option(
      names = "--rundir",
      paramLabel = "DIRECTORY",
      description = "The run directory of this driver. Default: /run/csi-hostpath/<drivername>")
  private @Nullable Path runDirectory;

  @Option(
      names = "--drivername",
      paramLabel = "NAME",
      defaultValue = "hostpath.csi.k8s.io",
      description = "The plugin name, for the default of --rundir. Default: ${DEFAULT-VALUE}")
  private String driverName = "";

  Path stateDirectory() {
    return stateDirectory.toAbsolutePath().normalize();
  }

  Path runDirectory() {
    Path directory = runDirectory == null ? Path.of("/run/csi-hostpath", driverName) : runDirectory;
    return directory.toAbsolutePath().normalize();
  }
}
