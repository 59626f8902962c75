package dev.csijava.testkit.cli;

import com.google.common.base.Splitter;
import dev.csijava.testkit.conformance.Engine;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.SettingsBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What the user tells about the driver; every option of csi-sanity has its counterpart here. */
final class CheckOptions {
  @Option(
      names = "--endpoint",
      required = true,
      description = "The driver: unix:///path.sock, a path, tcp://host:port, dns:///host:port.")
  private String endpoint = "";

  @Option(
      names = "--controller-endpoint",
      description = "Where Controller and GroupController are, if elsewhere.")
  private @Nullable String controllerEndpoint;

  @Option(
      names = "--secrets",
      paramLabel = "FILE",
      description = "Secrets of each RPC: YAML or JSON, CreateVolumeSecret: {key: value}, ...")
  private @Nullable Path secrets;

  @Option(
      names = "--parameters",
      paramLabel = "FILE",
      description = "Parameters of CreateVolume: YAML or JSON, key: value.")
  private @Nullable Path parameters;

  @Option(
      names = "--mutable-parameters",
      paramLabel = "FILE",
      description = "Valid mutable parameters: YAML or JSON, key: value.")
  private @Nullable Path mutableParameters;

  @Option(
      names = "--snapshot-parameters",
      paramLabel = "FILE",
      description = "Parameters of CreateSnapshot: YAML or JSON, key: value.")
  private @Nullable Path snapshotParameters;

  @Option(
      names = "--group-snapshot-parameters",
      paramLabel = "FILE",
      description = "Parameters of CreateVolumeGroupSnapshot: YAML or JSON, key: value.")
  private @Nullable Path groupSnapshotParameters;

  @Option(
      names = "--access-type",
      defaultValue = "mount",
      description = "How volumes are used: mount or block. Default: ${DEFAULT-VALUE}")
  private String accessType = "mount";

  @Option(
      names = "--fs-type",
      paramLabel = "TYPE",
      defaultValue = "",
      description = "The file system that mounted volumes are asked for with. Default: none.")
  private String fsType = "";

  @Option(
      names = "--size",
      defaultValue = "1Gi",
      description = "The size of volumes. Default: ${DEFAULT-VALUE}")
  private String size = "1Gi";

  @Option(names = "--expand-size", description = "What volumes grow to. Default: twice the size")
  private @Nullable String expandSize;

  @Option(
      names = "--target-dir",
      paramLabel = "DIR",
      description = "Volumes are published below it. Default: a directory for temporary files")
  private @Nullable Path targetDirectory;

  @Option(
      names = "--staging-dir",
      paramLabel = "DIR",
      description = "Volumes are staged below it. Default: a directory for temporary files")
  private @Nullable Path stagingDirectory;

  @Option(
      names = "--create-target-command",
      paramLabel = "COMMAND",
      description =
          "Makes the directory of a target, whose path is its last argument; prints another path"
              + " if it likes. Words are split at spaces.")
  private @Nullable String createTargetCommand;

  @Option(
      names = "--remove-target-command",
      paramLabel = "COMMAND",
      description = "Removes the directory of targets, given as last argument.")
  private @Nullable String removeTargetCommand;

  @Option(
      names = "--create-staging-command",
      paramLabel = "COMMAND",
      description = "Makes a staging directory, as --create-target-command does.")
  private @Nullable String createStagingCommand;

  @Option(
      names = "--remove-staging-command",
      paramLabel = "COMMAND",
      description = "Removes staging directories, as --remove-target-command does.")
  private @Nullable String removeStagingCommand;

  @Option(
      names = "--check-path-command",
      paramLabel = "COMMAND",
      description = "Prints what a path is: file, directory, not_found or other.")
  private @Nullable String checkPathCommand;

  @Option(
      names = "--command-timeout",
      defaultValue = "10",
      paramLabel = "SECONDS",
      description = "How long each of these commands may take. Default: ${DEFAULT-VALUE}")
  private long commandTimeout;

  @Option(
      names = "--restart-command",
      paramLabel = "COMMAND",
      description = "Ends the driver with kill -9 and starts it again.")
  private @Nullable String restartCommand;

  @Option(
      names = "--log-file",
      paramLabel = "FILE",
      description = "The driver's log, to look for secrets in.")
  private @Nullable Path logFile;

  @Option(
      names = "--second-node-id",
      paramLabel = "ID",
      description = "Another node that the controller can publish to.")
  private @Nullable String secondNodeId;

  @Option(
      names = "--existing-volume-id",
      paramLabel = "ID",
      description = "A volume that was made outside CSI.")
  private @Nullable String existingVolumeId;

  @Option(
      names = "--attach-limit",
      description = "Attach volumes until the node's limit is reached.")
  private boolean attachLimit;

  @Option(
      names = "--repetitions",
      defaultValue = "10",
      description = "How often what must be idempotent is repeated. Default: ${DEFAULT-VALUE}")
  private int repetitions;

  @Option(
      names = "--name-prefix",
      defaultValue = "csi-testkit",
      description = "How names begin. Default: ${DEFAULT-VALUE}")
  private String namePrefix = "csi-testkit";

  @Option(
      names = "--call-timeout",
      defaultValue = "60",
      paramLabel = "SECONDS",
      description = "How long a call may take. Default: ${DEFAULT-VALUE}")
  private long callTimeout;

  @Option(
      names = "--parallel",
      defaultValue = "4",
      description = "How many cases run at once. Default: ${DEFAULT-VALUE}")
  private int parallelism;

  @Option(names = "--new-connection", description = "Connect for every call, as kubelet does.")
  private boolean connectionPerCall;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ID",
      description = "Run these: ids of requirements or cases, or how they begin.")
  private List<String> only = List.of();

  @Option(
      names = "--without",
      split = ",",
      paramLabel = "ID",
      description = "Leave these out: ids of requirements or cases, or how they begin.")
  private List<String> without = List.of();

  @Option(
      names = "--engines",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "all",
      description =
          "Run these engines: replay, callers, model, concurrency, crash, secrets, hostile, all or"
              + " none. Default: ${DEFAULT-VALUE}")
  private List<String> engines = List.of("all");

  @Option(
      names = "--seed",
      description = "What the engines choose by. Default: another one each time, which is printed")
  private @Nullable Long seed;

  @Option(
      names = "--kill-command",
      paramLabel = "COMMAND",
      description = "Ends the driver with kill -9; --restart-command then starts it again.")
  private @Nullable String killCommand;

  @Option(
      names = "--pid-file",
      paramLabel = "FILE",
      description = "Holds the driver's process id, to kill it by instead.")
  private @Nullable Path pidFile;

  @Option(
      names = "--start-command",
      paramLabel = "COMMAND",
      description =
          "Runs one more driver in the foreground, at the CSI_ENDPOINT of its environment.")
  private @Nullable String startCommand;

  @Option(
      names = "--registration-socket",
      paramLabel = "FILE",
      description = "Where the driver waits for kubelet's plugin watcher.")
  private @Nullable Path registrationSocket;

  @Option(
      names = "--denied-secrets",
      paramLabel = "FILE",
      description = "Secrets of somebody who may not create volumes: YAML or JSON, key: value.")
  private @Nullable Path deniedSecrets;

  @Option(
      names = "--inline-attributes",
      paramLabel = "FILE",
      description =
          "Attributes of a volume in a pod's manifest, for drivers that can't create volumes: YAML"
              + " or JSON, key: value; {} for none.")
  private @Nullable Path inlineAttributes;

  @Option(
      names = "--full-topology",
      paramLabel = "KEY=VALUE",
      split = ",",
      description = "The segments of a topology that has no room left.")
  private Map<String, String> fullTopology = Map.of();

  /** The settings that this makes. */
  Settings settings() {
    long bytes = ByteSize.parse(size);
    SettingsBuilder builder =
        Settings.forEndpoint(endpoint)
            .fsType(fsType)
            .accessType(accessType())
            .size(bytes)
            .expandSize(expandSize == null ? twice(bytes) : ByteSize.parse(expandSize))
            .commandTimeout(Duration.ofSeconds(commandTimeout))
            .attachLimit(attachLimit)
            .repetitions(repetitions)
            .namePrefix(namePrefix)
            .callTimeout(Duration.ofSeconds(callTimeout))
            .parallelism(parallelism)
            .connectionPerCall(connectionPerCall)
            .only(only)
            .without(without)
            .engines(Engine.parse(engines))
            .fullTopology(fullTopology);
    given(controllerEndpoint, builder::controllerEndpoint);
    given(secrets, file -> builder.secrets(KeyValueFile.secrets(file)));
    given(parameters, file -> builder.parameters(KeyValueFile.flat(file)));
    given(mutableParameters, file -> builder.mutableParameters(KeyValueFile.flat(file)));
    given(snapshotParameters, file -> builder.snapshotParameters(KeyValueFile.flat(file)));
    given(
        groupSnapshotParameters, file -> builder.groupSnapshotParameters(KeyValueFile.flat(file)));
    given(targetDirectory, path -> builder.targetDirectory(path.toAbsolutePath().normalize()));
    given(stagingDirectory, path -> builder.stagingDirectory(path.toAbsolutePath().normalize()));
    given(createTargetCommand, text -> builder.createTargetCommand(words(text)));
    given(removeTargetCommand, text -> builder.removeTargetCommand(words(text)));
    given(createStagingCommand, text -> builder.createStagingCommand(words(text)));
    given(removeStagingCommand, text -> builder.removeStagingCommand(words(text)));
    given(checkPathCommand, text -> builder.checkPathCommand(words(text)));
    given(restartCommand, text -> builder.restartCommand(words(text)));
    given(logFile, builder::logFile);
    given(secondNodeId, builder::secondNodeId);
    given(existingVolumeId, builder::existingVolumeId);
    given(seed, builder::seed);
    given(killCommand, text -> builder.killCommand(words(text)));
    given(pidFile, builder::pidFile);
    given(startCommand, text -> builder.startCommand(words(text)));
    given(registrationSocket, builder::registrationSocket);
    given(inlineAttributes, file -> builder.inlineAttributes(KeyValueFile.flat(file)));
    given(deniedSecrets, file -> builder.deniedSecrets(KeyValueFile.flat(file)));
    return builder.build();
  }

  private Settings.AccessType accessType() {
    return switch (accessType.toLowerCase(Locale.ROOT)) {
      case "mount" -> Settings.AccessType.MOUNT;
      case "block" -> Settings.AccessType.BLOCK;
      default ->
          throw new IllegalArgumentException("--access-type is mount or block, not " + accessType);
    };
  }

  private long twice(long bytes) {
    if (bytes > Long.MAX_VALUE / 2) {
      throw new IllegalArgumentException(
          "nothing is twice as large as --size " + size + "; give --expand-size");
    }
    return 2 * bytes;
  }

  private static <T> void given(@Nullable T value, Function<T, SettingsBuilder> set) {
    if (value != null) {
      SettingsBuilder same = set.apply(value);
      assert same != null;
    }
  }

  private static List<String> words(String command) {
    return Splitter.on(' ').omitEmptyStrings().splitToList(command);
  }
}
