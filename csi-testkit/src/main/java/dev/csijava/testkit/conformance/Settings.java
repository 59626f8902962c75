package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.DriverEndpoint;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that the kit is told about a driver. Immutable.
 *
 * @since 0.1.0
 */
public final class Settings {
  /**
   * How the volumes of the cases are used, unless a case is about one of the two.
   *
   * @since 0.1.0
   */
  public enum AccessType {
    /** As a mounted file system. */
    MOUNT,
    /** As a raw block device. */
    BLOCK
  }

  private final SettingsBuilder set;

  Settings(SettingsBuilder set) {
    this.set = set;
  }

  /**
   * Settings with every default, for a driver at this endpoint.
   *
   * @throws IllegalArgumentException if it is no endpoint
   * @since 0.1.0
   */
  public static SettingsBuilder forEndpoint(String endpoint) {
    return new SettingsBuilder(DriverEndpoint.parse(endpoint));
  }

  /**
   * Where Identity and Node are served.
   *
   * @since 0.1.0
   */
  public DriverEndpoint endpoint() {
    return set.endpoint;
  }

  /**
   * Where Controller and GroupController are served.
   *
   * @since 0.1.0
   */
  public DriverEndpoint controllerEndpoint() {
    return set.controllerEndpoint == null ? set.endpoint : set.controllerEndpoint;
  }

  /**
   * The secrets of each RPC, by its name; filled into requests that hold none.
   *
   * @since 0.1.0
   */
  public Map<String, Map<String, String>> secrets() {
    return set.secrets;
  }

  /**
   * Parameters of CreateVolume.
   *
   * @since 0.1.0
   */
  public Map<String, String> parameters() {
    return set.parameters;
  }

  /**
   * Valid mutable parameters; empty: none are known.
   *
   * @since 0.1.0
   */
  public Map<String, String> mutableParameters() {
    return set.mutableParameters;
  }

  /**
   * Parameters of CreateSnapshot.
   *
   * @since 0.1.0
   */
  public Map<String, String> snapshotParameters() {
    return set.snapshotParameters;
  }

  /**
   * Parameters of CreateVolumeGroupSnapshot.
   *
   * @since 0.1.0
   */
  public Map<String, String> groupSnapshotParameters() {
    return set.groupSnapshotParameters;
  }

  /**
   * How volumes are used.
   *
   * @since 0.1.0
   */
  public AccessType accessType() {
    return set.accessType;
  }

  /**
   * The file system that mounted volumes are asked for with; empty for the driver's own.
   *
   * @since 0.1.0
   */
  public String fsType() {
    return set.fsType;
  }

  /**
   * The size of volumes, in bytes.
   *
   * @since 0.1.0
   */
  public long size() {
    return set.size;
  }

  /**
   * The size that volumes grow to, in bytes.
   *
   * @since 0.1.0
   */
  public long expandSize() {
    return set.expandSize;
  }

  /**
   * The directory below which volumes are published, on the driver's host.
   *
   * @since 0.1.0
   */
  public Path targetDirectory() {
    return set.targetDirectory;
  }

  /**
   * The directory below which volumes are staged, on the driver's host.
   *
   * @since 0.1.0
   */
  public Path stagingDirectory() {
    return set.stagingDirectory;
  }

  /**
   * How the parent of a target is made; absent: by the kit itself.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> createTargetCommand() {
    return Optional.ofNullable(set.createTargetCommand);
  }

  /**
   * How the parent of a target is removed; absent: by the kit itself.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> removeTargetCommand() {
    return Optional.ofNullable(set.removeTargetCommand);
  }

  /**
   * How a staging directory is made; absent: by the kit itself.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> createStagingCommand() {
    return Optional.ofNullable(set.createStagingCommand);
  }

  /**
   * How a staging directory is removed; absent: by the kit itself.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> removeStagingCommand() {
    return Optional.ofNullable(set.removeStagingCommand);
  }

  /**
   * How the kind of a path is asked for: prints file, directory, not_found or other.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> checkPathCommand() {
    return Optional.ofNullable(set.checkPathCommand);
  }

  /**
   * How long each of these commands may take.
   *
   * @since 0.1.0
   */
  public Duration commandTimeout() {
    return set.commandTimeout;
  }

  /**
   * Restarts the driver after kill -9.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> restartCommand() {
    return Optional.ofNullable(set.restartCommand);
  }

  /**
   * What the driver writes its log to.
   *
   * @since 0.1.0
   */
  public Optional<Path> logFile() {
    return Optional.ofNullable(set.logFile);
  }

  /**
   * The id of another node that the controller can publish to.
   *
   * @since 0.1.0
   */
  public Optional<String> secondNodeId() {
    return Optional.ofNullable(set.secondNodeId);
  }

  /**
   * The id of a volume that was made outside CSI.
   *
   * @since 0.1.0
   */
  public Optional<String> existingVolumeId() {
    return Optional.ofNullable(set.existingVolumeId);
  }

  /**
   * Whether the node is filled up to the limit that it tells.
   *
   * @since 0.1.0
   */
  public boolean attachLimit() {
    return set.attachLimit;
  }

  /**
   * How often what must be idempotent is repeated.
   *
   * @since 0.1.0
   */
  public int repetitions() {
    return set.repetitions;
  }

  /**
   * How the names begin that the kit gives.
   *
   * @since 0.1.0
   */
  public String namePrefix() {
    return set.namePrefix;
  }

  /**
   * How long a call may take.
   *
   * @since 0.1.0
   */
  public Duration callTimeout() {
    return set.callTimeout;
  }

  /**
   * How many cases run at once.
   *
   * @since 0.1.0
   */
  public int parallelism() {
    return set.parallelism;
  }

  /**
   * Whether each call has a connection of its own, as kubelet's.
   *
   * @since 0.1.0
   */
  public boolean connectionPerCall() {
    return set.connectionPerCall;
  }

  /**
   * Ids of rows or cases, or beginnings of them, that run; empty: all.
   *
   * @since 0.1.0
   */
  public List<String> only() {
    return set.only;
  }

  /**
   * Ids of rows or cases, or beginnings of them, that do not run.
   *
   * @since 0.1.0
   */
  public List<String> without() {
    return set.without;
  }

  /**
   * The engines that run.
   *
   * @since 0.1.0
   */
  public Set<Engine> engines() {
    return set.engines;
  }

  /**
   * What the engines' random choices come from; the same seed makes the same choices.
   *
   * @since 0.1.0
   */
  public long seed() {
    return set.seed;
  }

  /**
   * Kills the driver with kill -9, so that only {@link #restartCommand} brings it back.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> killCommand() {
    return Optional.ofNullable(set.killCommand);
  }

  /**
   * Holds the id of the driver's process, in decimal.
   *
   * @since 0.1.0
   */
  public Optional<Path> pidFile() {
    return Optional.ofNullable(set.pidFile);
  }

  /**
   * Runs another instance of the driver, in the foreground, which reads CSI_ENDPOINT.
   *
   * @since 0.1.0
   */
  public Optional<List<String>> startCommand() {
    return Optional.ofNullable(set.startCommand);
  }

  /**
   * Where the driver, or its registrar, waits for kubelet's plugin watcher.
   *
   * @since 0.1.0
   */
  public Optional<Path> registrationSocket() {
    return Optional.ofNullable(set.registrationSocket);
  }

  /**
   * Secrets of somebody who may not create volumes.
   *
   * @since 0.1.0
   */
  public Map<String, String> deniedSecrets() {
    return set.deniedSecrets;
  }

  /**
   * The attributes of a volume that stands in a pod's manifest, if the driver takes such.
   *
   * @since 0.1.0
   */
  public Optional<Map<String, String>> inlineAttributes() {
    return Optional.ofNullable(set.inlineAttributes);
  }

  /**
   * The segments of a topology that has no room left.
   *
   * @since 0.1.0
   */
  public Map<String, String> fullTopology() {
    return set.fullTopology;
  }

  /** Whether the settings let this case run: its id, its rows and its engine are chosen. */
  boolean choose(Case tested) {
    return (only().isEmpty() || named(tested, only()))
        && !named(tested, without())
        && Engine.of(tested).map(engines()::contains).orElse(true);
  }

  private static boolean named(Case tested, List<String> beginnings) {
    return beginnings.stream()
        .anyMatch(
            beginning ->
                tested.id().startsWith(beginning)
                    || tested.rows().stream().anyMatch(row -> row.id().startsWith(beginning)));
  }
}
