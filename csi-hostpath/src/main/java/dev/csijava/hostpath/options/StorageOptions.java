package dev.csijava.hostpath.options;

import dev.csijava.hostpath.capacity.Quantity;
import dev.csijava.hostpath.settings.SizeSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where volumes lie, and how large they may be. */
public final class StorageOptions {
  @Option(
      names = "--statedir",
      paramLabel = "DIRECTORY",
      defaultValue = "/csi-data-dir",
      description = "The directory of all volumes and snapshots. Default: ${DEFAULT-VALUE}")
  private Path stateDirectory = Path.of("/csi-data-dir");

  @Option(
      names = "--rundir",
      paramLabel = "DIRECTORY",
      description =
          "The directory of what a reboot may forget; on a file system in memory of the host."
              + " Default: /run/csi-hostpath/<drivername>")
  private @Nullable Path runDirectory;

  @Option(
      names = "--max-volume-size",
      paramLabel = "BYTES",
      defaultValue = "" + SizeSettings.DEFAULT_MAX_VOLUME_SIZE,
      description = "The largest volume. Default: ${DEFAULT-VALUE}")
  private long maxVolumeSize = SizeSettings.DEFAULT_MAX_VOLUME_SIZE;

  @Option(
      names = "--max-volume-size-node",
      paramLabel = "BYTES",
      defaultValue = "0",
      description =
          "The largest size that the node grows a volume to; 0 for --max-volume-size. Default:"
              + " ${DEFAULT-VALUE}")
  private long maxVolumeSizeOnNode;

  @Option(
      names = "--capacity",
      paramLabel = "KIND=AMOUNT",
      arity = "1",
      description =
          "How much may be promised of a kind, for example fast=10Gi; a storage class names it by"
              + " its parameter kind. May be repeated. Default: nothing is counted")
  private List<String> capacities = new ArrayList<>();

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.path(value -> stateDirectory = value, "--statedir");
    flags.path(value -> runDirectory = value, "--rundir");
    flags.number(value -> maxVolumeSize = value, "--max-volume-size");
    flags.number(value -> maxVolumeSizeOnNode = value, "--max-volume-size-node");
    flags.text(capacities::add, "--capacity");
  }

  /** Where what must survive lies. */
  public Path stateDirectory() {
    return stateDirectory;
  }

  /** Where what may be forgotten lies. */
  public Path runDirectory(String driverName) {
    return runDirectory == null ? Path.of("/run/csi-hostpath", driverName) : runDirectory;
  }

  /**
   * The sizes.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public SizeSettings sizes() {
    Map<String, Long> amounts = new TreeMap<>();
    for (String capacity : capacities) {
      int equals = capacity.indexOf('=');
      if (equals < 1) {
        throw new IllegalArgumentException(
            "--capacity '" + capacity + "' must be KIND=AMOUNT, for example fast=10Gi");
      }
      try {
        amounts.put(capacity.substring(0, equals), Quantity.bytes(capacity.substring(equals + 1)));
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException("--capacity: " + e.getMessage(), e);
      }
    }
    return new SizeSettings(maxVolumeSize, maxVolumeSizeOnNode, amounts);
  }
}
