package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.DriverEndpoint;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Puts settings together; what is not set has a default. Not safe for several threads.
 *
 * @since 0.1.0
 */
public final class SettingsBuilder {
  private static final long GIB = 1L << 30;
  private static final int LONGEST_PREFIX = 48;

  final DriverEndpoint endpoint;
  @Nullable DriverEndpoint controllerEndpoint;
  Map<String, Map<String, String>> secrets = Map.of();
  Map<String, String> parameters = Map.of();
  Map<String, String> mutableParameters = Map.of();
  Map<String, String> snapshotParameters = Map.of();
  Map<String, String> groupSnapshotParameters = Map.of();
  Settings.AccessType accessType = Settings.AccessType.MOUNT;
  String fsType = "";
  long size = GIB;
  long expandSize = 2 * GIB;
  Path targetDirectory = temporary("csi-testkit-target");
  Path stagingDirectory = temporary("csi-testkit-staging");
  @Nullable List<String> createTargetCommand;
  @Nullable List<String> removeTargetCommand;
  @Nullable List<String> createStagingCommand;
  @Nullable List<String> removeStagingCommand;
  @Nullable List<String> checkPathCommand;
  Duration commandTimeout = Duration.ofSeconds(10);
  @Nullable List<String> restartCommand;
  @Nullable Path logFile;
  @Nullable String secondNodeId;
  @Nullable String existingVolumeId;
  boolean attachLimit;
  int repetitions = 10;
  String namePrefix = "csi-testkit";
  Duration callTimeout = Duration.ofSeconds(60);
  int parallelism = 4;
  boolean connectionPerCall;
  List<String> only = List.of();
  List<String> without = List.of();
  Set<Engine> engines = Set.of(Engine.values());
  long seed = ThreadLocalRandom.current().nextLong(1L << 31);
  @Nullable List<String> killCommand;
  @Nullable Path pidFile;
  @Nullable List<String> startCommand;
  @Nullable Path registrationSocket;
  Map<String, String> deniedSecrets = Map.of();
  Map<String, String> fullTopology = Map.of();
  @Nullable Map<String, String> inlineAttributes;

  SettingsBuilder(DriverEndpoint endpoint) {
    this.endpoint = endpoint;
  }

  private static Path temporary(String name) {
    return Path.of(System.getProperty("java.io.tmpdir"), name).toAbsolutePath();
  }

  /**
   * Where Controller and GroupController are served. Default: the endpoint of the rest.
   *
   * @since 0.1.0
   */
  public SettingsBuilder controllerEndpoint(String value) {
    controllerEndpoint = DriverEndpoint.parse(value);
    return this;
  }

  /**
   * The secrets of each RPC, by its name. Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder secrets(Map<String, Map<String, String>> value) {
    Map<String, Map<String, String>> copy = new HashMap<>();
    value.forEach((rpc, ofOneRpc) -> copy.put(rpc, Map.copyOf(ofOneRpc)));
    secrets = Map.copyOf(copy);
    return this;
  }

  /**
   * Parameters of CreateVolume. Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder parameters(Map<String, String> value) {
    parameters = Map.copyOf(value);
    return this;
  }

  /**
   * Valid mutable parameters. Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder mutableParameters(Map<String, String> value) {
    mutableParameters = Map.copyOf(value);
    return this;
  }

  /**
   * Parameters of CreateSnapshot. Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder snapshotParameters(Map<String, String> value) {
    snapshotParameters = Map.copyOf(value);
    return this;
  }

  /**
   * Parameters of CreateVolumeGroupSnapshot. Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder groupSnapshotParameters(Map<String, String> value) {
    groupSnapshotParameters = Map.copyOf(value);
    return this;
  }

  /**
   * How volumes are used. Default: mounted.
   *
   * @since 0.1.0
   */
  public SettingsBuilder accessType(Settings.AccessType value) {
    accessType = value;
    return this;
  }

  /**
   * The file system that mounted volumes are asked for with. Default: the driver's own.
   *
   * @since 0.1.0
   */
  public SettingsBuilder fsType(String value) {
    fsType = value;
    return this;
  }

  /**
   * The size of volumes in bytes, above zero. Default: 1 GiB.
   *
   * @since 0.1.0
   */
  public SettingsBuilder size(long value) {
    size = positive(value, "size");
    return this;
  }

  /**
   * What volumes grow to in bytes, above zero. Default: 2 GiB.
   *
   * @since 0.1.0
   */
  public SettingsBuilder expandSize(long value) {
    expandSize = positive(value, "expanded size");
    return this;
  }

  /**
   * Absolute. Default: csi-testkit-target in the directory for temporary files.
   *
   * @since 0.1.0
   */
  public SettingsBuilder targetDirectory(Path value) {
    targetDirectory = absolute(value);
    return this;
  }

  /**
   * Absolute. Default: csi-testkit-staging in the directory for temporary files.
   *
   * @since 0.1.0
   */
  public SettingsBuilder stagingDirectory(Path value) {
    stagingDirectory = absolute(value);
    return this;
  }

  /**
   * Program and arguments; the path is added; a path that it prints is used instead.
   *
   * @since 0.1.0
   */
  public SettingsBuilder createTargetCommand(List<String> value) {
    createTargetCommand = command(value);
    return this;
  }

  /**
   * Program and arguments; the path is added.
   *
   * @since 0.1.0
   */
  public SettingsBuilder removeTargetCommand(List<String> value) {
    removeTargetCommand = command(value);
    return this;
  }

  /**
   * Program and arguments; the path is added; a path that it prints is used instead.
   *
   * @since 0.1.0
   */
  public SettingsBuilder createStagingCommand(List<String> value) {
    createStagingCommand = command(value);
    return this;
  }

  /**
   * Program and arguments; the path is added.
   *
   * @since 0.1.0
   */
  public SettingsBuilder removeStagingCommand(List<String> value) {
    removeStagingCommand = command(value);
    return this;
  }

  /**
   * Program and arguments; the path is added.
   *
   * @since 0.1.0
   */
  public SettingsBuilder checkPathCommand(List<String> value) {
    checkPathCommand = command(value);
    return this;
  }

  /**
   * Above zero. Default: 10 seconds.
   *
   * @since 0.1.0
   */
  public SettingsBuilder commandTimeout(Duration value) {
    commandTimeout = positive(value, "time of a command");
    return this;
  }

  /**
   * Program and arguments. Default: none, and what needs a restart is skipped.
   *
   * @since 0.1.0
   */
  public SettingsBuilder restartCommand(List<String> value) {
    restartCommand = command(value);
    return this;
  }

  /**
   * Default: none, and what needs the log is skipped.
   *
   * @since 0.1.0
   */
  public SettingsBuilder logFile(Path value) {
    logFile = value;
    return this;
  }

  /**
   * Default: none, and what needs a second node is skipped.
   *
   * @since 0.1.0
   */
  public SettingsBuilder secondNodeId(String value) {
    secondNodeId = value;
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder existingVolumeId(String value) {
    existingVolumeId = value;
    return this;
  }

  /**
   * Default: no, since it fills the node.
   *
   * @since 0.1.0
   */
  public SettingsBuilder attachLimit(boolean value) {
    attachLimit = value;
    return this;
  }

  /**
   * Above zero. Default: 10.
   *
   * @since 0.1.0
   */
  public SettingsBuilder repetitions(int value) {
    repetitions = (int) positive(value, "number of repetitions");
    return this;
  }

  /**
   * Of at most 48 bytes, so that no name has more than CSI's 128. Default: csi-testkit.
   *
   * @throws IllegalArgumentException if it is longer
   * @since 0.1.0
   */
  public SettingsBuilder namePrefix(String value) {
    if (value.getBytes(StandardCharsets.UTF_8).length > LONGEST_PREFIX) {
      throw new IllegalArgumentException(
          "the beginning of names has more than " + LONGEST_PREFIX + " bytes");
    }
    namePrefix = value;
    return this;
  }

  /**
   * Above zero. Default: 60 seconds.
   *
   * @since 0.1.0
   */
  public SettingsBuilder callTimeout(Duration value) {
    callTimeout = positive(value, "time of a call");
    return this;
  }

  /**
   * Above zero. Default: 4.
   *
   * @since 0.1.0
   */
  public SettingsBuilder parallelism(int value) {
    parallelism = (int) positive(value, "parallelism");
    return this;
  }

  /**
   * Default: no.
   *
   * @since 0.1.0
   */
  public SettingsBuilder connectionPerCall(boolean value) {
    connectionPerCall = value;
    return this;
  }

  /**
   * Default: all.
   *
   * @since 0.1.0
   */
  public SettingsBuilder only(List<String> value) {
    only = List.copyOf(value);
    return this;
  }

  /**
   * Default: nothing is left out.
   *
   * @since 0.1.0
   */
  public SettingsBuilder without(List<String> value) {
    without = List.copyOf(value);
    return this;
  }

  /**
   * Default: all of them.
   *
   * @since 0.1.0
   */
  public SettingsBuilder engines(Set<Engine> value) {
    engines = Set.copyOf(value);
    return this;
  }

  /**
   * Default: another one for each builder.
   *
   * @since 0.1.0
   */
  public SettingsBuilder seed(long value) {
    seed = value;
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder killCommand(List<String> value) {
    killCommand = command(value);
    return this;
  }

  /**
   * The id is that of the kit's own machine, not the one that a container has for it. Default:
   * none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder pidFile(Path value) {
    pidFile = value;
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder startCommand(List<String> value) {
    startCommand = command(value);
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder registrationSocket(Path value) {
    registrationSocket = value;
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder deniedSecrets(Map<String, String> value) {
    deniedSecrets = Map.copyOf(value);
    return this;
  }

  /**
   * Default: none are known; an empty map says that volumes in pods' manifests need none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder inlineAttributes(Map<String, String> value) {
    inlineAttributes = Map.copyOf(value);
    return this;
  }

  /**
   * Default: none.
   *
   * @since 0.1.0
   */
  public SettingsBuilder fullTopology(Map<String, String> value) {
    fullTopology = Map.copyOf(value);
    return this;
  }

  /**
   * The settings.
   *
   * @throws IllegalArgumentException if the expanded size is not above the size
   * @since 0.1.0
   */
  public Settings build() {
    if (expandSize <= size) {
      throw new IllegalArgumentException(
          "the expanded size " + expandSize + " is not above the size " + size);
    }
    return new Settings(copy());
  }

  private SettingsBuilder copy() {
    SettingsBuilder copy = new SettingsBuilder(endpoint);
    copy.controllerEndpoint = controllerEndpoint;
    copy.secrets = secrets;
    copy.parameters = parameters;
    copy.mutableParameters = mutableParameters;
    copy.snapshotParameters = snapshotParameters;
    copy.groupSnapshotParameters = groupSnapshotParameters;
    copy.accessType = accessType;
    copy.fsType = fsType;
    copy.size = size;
    copy.expandSize = expandSize;
    copy.targetDirectory = targetDirectory;
    copy.stagingDirectory = stagingDirectory;
    copy.createTargetCommand = createTargetCommand;
    copy.removeTargetCommand = removeTargetCommand;
    copy.createStagingCommand = createStagingCommand;
    copy.removeStagingCommand = removeStagingCommand;
    copy.checkPathCommand = checkPathCommand;
    copy.commandTimeout = commandTimeout;
    copy.restartCommand = restartCommand;
    copy.logFile = logFile;
    copy.secondNodeId = secondNodeId;
    copy.existingVolumeId = existingVolumeId;
    copy.attachLimit = attachLimit;
    copy.repetitions = repetitions;
    copy.namePrefix = namePrefix;
    copy.callTimeout = callTimeout;
    copy.parallelism = parallelism;
    copy.connectionPerCall = connectionPerCall;
    copy.only = only;
    copy.without = without;
    copy.engines = engines;
    copy.seed = seed;
    copy.killCommand = killCommand;
    copy.pidFile = pidFile;
    copy.startCommand = startCommand;
    copy.registrationSocket = registrationSocket;
    copy.deniedSecrets = deniedSecrets;
    copy.fullTopology = fullTopology;
    copy.inlineAttributes = inlineAttributes;
    return copy;
  }

  private static long positive(long value, String what) {
    if (value <= 0) {
      throw new IllegalArgumentException("the " + what + " must be above zero");
    }
    return value;
  }

  private static Duration positive(Duration value, String what) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException("the " + what + " must be above zero");
    }
    return value;
  }

  private static List<String> command(List<String> words) {
    if (words.isEmpty()) {
      throw new IllegalArgumentException("a command has a program at least");
    }
    return List.copyOf(words);
  }

  private static Path absolute(Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException("the directory " + path + " is not absolute");
    }
    return path.normalize();
  }
}
