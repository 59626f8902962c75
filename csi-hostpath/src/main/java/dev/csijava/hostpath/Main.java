package dev.csijava.hostpath;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Starts the driver and serves until the process is told to stop. Flags are those of the Go driver,
 * which takes them with one dash too.
 */
@Command(
    name = "csi-hostpath",
    description = "Serves volumes on a directory of this node over CSI.",
    sortOptions = false,
    versionProvider = Main.Version.class)
public final class Main implements Callable<Integer> {
  static final int NOT_STARTED = 1;
  static final int WRONG_FLAGS = 2;
  private static final String DEFAULT_ENDPOINT = "unix:///tmp/csi.sock";

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = {"--endpoint", "-endpoint"},
      description =
          "Where to listen: unix:///path, unix:/path, a path, or tcp://127.0.0.1:port. Default:"
              + " $CSI_ENDPOINT, else "
              + DEFAULT_ENDPOINT)
  private @Nullable String endpoint;

  @Option(
      names = {"--drivername", "-drivername"},
      defaultValue = "hostpath.csi.k8s.io",
      description = "The plugin name. Default: ${DEFAULT-VALUE}")
  private String driverName = "";

  @Option(
      names = {"--nodeid", "-nodeid"},
      defaultValue = "",
      description = "The id of this node, also the value of its topology. Required.")
  private String nodeId = "";

  @Option(
      names = {"--statedir", "-statedir"},
      defaultValue = "/csi-data-dir",
      description = "The directory of all volumes and snapshots. Default: ${DEFAULT-VALUE}")
  private Path stateDirectory = Path.of("/csi-data-dir");

  @Option(
      names = {"--rundir", "-rundir"},
      description =
          "The directory of what a reboot may forget; on a file system in memory of the host."
              + " Default: /run/csi-hostpath/<drivername>")
  private @Nullable Path runDirectory;

  @Option(
      names = {"--max-volume-size", "-max-volume-size"},
      defaultValue = "" + HostpathSettings.DEFAULT_MAX_VOLUME_SIZE,
      description = "The largest volume, in bytes. Default: ${DEFAULT-VALUE}")
  private long maxVolumeSize;

  @Option(
      names = {"--version", "-version"},
      versionHelp = true,
      description = "Print the version and exit.")
  @SuppressWarnings("unused") // picocli itself acts on it
  private boolean versionAsked;

  @Option(
      names = {"--help", "-help", "-h"},
      usageHelp = true,
      description = "Print this and exit.")
  @SuppressWarnings("unused") // picocli itself acts on it
  private boolean helpAsked;

  Main(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Runs until it is told to stop; the exit code is 0 then, and not if it could not start. */
  public static void main(String[] arguments) {
    System.exit(commandLine(System.getenv()).execute(arguments));
  }

  static CommandLine commandLine(Map<String, String> environment) {
    return new CommandLine(new Main(environment));
  }

  @Override
  public Integer call() throws InterruptedException {
    HostpathSettings settings;
    CsiEndpoint where;
    try {
      settings = settings();
      where = CsiEndpoint.parse(endpoint());
    } catch (IllegalArgumentException e) {
      return refuse(WRONG_FLAGS, e);
    }
    try (HostpathDriver hostpath = HostpathDriver.open(settings);
        CsiServer server = CsiServer.forDriver(hostpath.driver()).endpoint(where).start()) {
      server.closeOnExit();
      server.awaitClosed();
      return 0;
    } catch (IllegalArgumentException e) {
      return refuse(WRONG_FLAGS, e);
    } catch (IOException e) {
      return refuse(NOT_STARTED, e);
    }
  }

  HostpathSettings settings() {
    return new HostpathSettings(
        driverName,
        Version.text(),
        nodeId,
        stateDirectory,
        runDirectory == null ? Path.of("/run/csi-hostpath", driverName) : runDirectory,
        maxVolumeSize);
  }

  String endpoint() {
    if (endpoint != null && !endpoint.isEmpty()) {
      return endpoint;
    }
    String fromEnvironment = environment.getOrDefault("CSI_ENDPOINT", "");
    return fromEnvironment.isEmpty() ? DEFAULT_ENDPOINT : fromEnvironment;
  }

  private int refuse(int exitCode, Exception reason) {
    PrintWriter err = Objects.requireNonNull(spec).commandLine().getErr();
    err.println("csi-hostpath does not start: " + reason.getMessage());
    err.flush();
    return exitCode;
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    static String text() {
      String version = Main.class.getPackage().getImplementationVersion();
      return version == null ? "unreleased" : version;
    }

    @Override
    public String[] getVersion() {
      return new String[] {"csi-hostpath " + text()};
    }
  }
}
