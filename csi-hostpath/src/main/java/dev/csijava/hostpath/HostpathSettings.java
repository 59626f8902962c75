package dev.csijava.hostpath;

import dev.csijava.hostpath.backing.VolumeSizes;
import java.nio.file.Path;

/**
 * What an operator decides. Immutable; sizes are bytes, paths absolute.
 *
 * @param driverName the plugin name
 * @param version the driver's own version
 * @param nodeId the id of this node, also the value of its topology; not empty
 * @param stateDirectory what survives restarts and reboots
 * @param runDirectory what dies with the mounts; on a file system in memory of the host
 * @param maxVolumeSize no volume is made larger
 */
public record HostpathSettings(
    String driverName,
    String version,
    String nodeId,
    Path stateDirectory,
    Path runDirectory,
    long maxVolumeSize) {
  /** 1 TiB, as in the Go driver. */
  public static final long DEFAULT_MAX_VOLUME_SIZE = 1L << 40;

  /** 1 GiB: what a volume has whose request names no size. */
  public static final long DEFAULT_VOLUME_SIZE = 1L << 30;

  /**
   * Checks what the rest relies on.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public HostpathSettings {
    if (nodeId.isBlank()) {
      throw new IllegalArgumentException(
          "the id of this node is missing; give --nodeid, for example the name of the node");
    }
    if (!stateDirectory.isAbsolute() || !runDirectory.isAbsolute()) {
      throw new IllegalArgumentException("--statedir and --rundir must be absolute paths");
    }
  }

  VolumeSizes sizes() {
    return new VolumeSizes(maxVolumeSize, Math.min(DEFAULT_VOLUME_SIZE, maxVolumeSize));
  }
}
