package dev.csijava.hostpath;

import dev.csijava.core.Mode;
import dev.csijava.core.SpecVersion;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.settings.FeatureSettings;
import dev.csijava.hostpath.settings.SizeSettings;
import java.nio.file.Path;

/**
 * What an operator decides. Immutable; paths are absolute.
 *
 * @param driverName the plugin name
 * @param version the driver's own version
 * @param nodeId the id of this node, also the value of its topology; not empty
 * @param stateDirectory what survives restarts and reboots
 * @param runDirectory what dies with the mounts; on a file system in memory of the host
 * @param mode which services are served
 * @param advertised whose capability values are advertised
 */
public record HostpathSettings(
    String driverName,
    String version,
    String nodeId,
    Path stateDirectory,
    Path runDirectory,
    Mode mode,
    SpecVersion advertised,
    SizeSettings sizes,
    AttachSettings attach,
    FeatureSettings features) {
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

  /** All services, the capabilities of CSI 1.12, and what else there is without any flag. */
  public static HostpathSettings of(
      String driverName, String version, String nodeId, Path stateDirectory, Path runDirectory) {
    return new HostpathSettings(
        driverName,
        version,
        nodeId,
        stateDirectory,
        runDirectory,
        Mode.ALL,
        SpecVersion.V1_12,
        SizeSettings.DEFAULTS,
        AttachSettings.DEFAULTS,
        FeatureSettings.DEFAULTS);
  }

  /** The same with other sizes. */
  public HostpathSettings withSizes(SizeSettings other) {
    return new HostpathSettings(
        driverName,
        version,
        nodeId,
        stateDirectory,
        runDirectory,
        mode,
        advertised,
        other,
        attach,
        features);
  }

  /** The same with another way to attach. */
  public HostpathSettings withAttach(AttachSettings other) {
    return new HostpathSettings(
        driverName,
        version,
        nodeId,
        stateDirectory,
        runDirectory,
        mode,
        advertised,
        sizes,
        other,
        features);
  }

  /** The same with other features. */
  public HostpathSettings withFeatures(FeatureSettings other) {
    return new HostpathSettings(
        driverName,
        version,
        nodeId,
        stateDirectory,
        runDirectory,
        mode,
        advertised,
        sizes,
        attach,
        other);
  }

  /** The same for other services and another version of the interface. */
  public HostpathSettings withServed(Mode services, SpecVersion values) {
    return new HostpathSettings(
        driverName,
        version,
        nodeId,
        stateDirectory,
        runDirectory,
        services,
        values,
        sizes,
        attach,
        features);
  }
}
