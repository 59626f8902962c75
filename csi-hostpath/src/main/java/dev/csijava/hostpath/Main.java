package dev.csijava.hostpath;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.admin.ImportCommand;
import dev.csijava.hostpath.admin.VolumesCommand;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.options.AttachOptions;
import dev.csijava.hostpath.options.DeprecatedOptions;
import dev.csijava.hostpath.options.FeatureOptions;
import dev.csijava.hostpath.options.GoArguments;
import dev.csijava.hostpath.options.LogOptions;
import dev.csijava.hostpath.options.PlainFlags;
import dev.csijava.hostpath.options.PodOptions;
import dev.csijava.hostpath.options.ServerOptions;
import dev.csijava.hostpath.options.StorageOptions;
import dev.csijava.hostpath.proxy.Access;
import dev.csijava.hostpath.proxy.Proxy;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * Starts the driver and serves until the process is told to stop. Flags are those of the Go driver,
 * read as Go reads them.
 */
@Command(
    name = "csi-hostpath",
    description = "Serves volumes on a directory of this node over CSI.",
    sortOptions = false,
    subcommands = {ImportCommand.class, VolumesCommand.class},
    versionProvider = Main.Version.class)
public final class Main implements Callable<Integer> {
  static final int NOT_STARTED = 1;
  static final int WRONG_FLAGS = 2;
  private static final int ENDED = 1;

  private final Map<String, String> environment;

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--drivername",
      paramLabel = "NAME",
      defaultValue = "hostpath.csi.k8s.io",
      description = "The plugin name. Default: ${DEFAULT-VALUE}")
  private String driverName = "hostpath.csi.k8s.io";

  @Option(
      names = "--nodeid",
      paramLabel = "ID",
      defaultValue = "",
      description = "The id of this node, also the value of its topology. Required.")
  private String nodeId = "";

  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private StorageOptions storage = new StorageOptions();
  @Mixin private FeatureOptions features = new FeatureOptions();
  @Mixin private AttachOptions attach = new AttachOptions();
  @Mixin private PodOptions pod = new PodOptions();
  @Mixin private LogOptions logging = new LogOptions();

  @Mixin private DeprecatedOptions deprecated = new DeprecatedOptions();

  @Option(names = "--version", versionHelp = true, description = "Print the version and exit.")
  @SuppressWarnings("unused") // picocli itself acts on it
  private boolean versionAsked;

  @Option(
      names = {"--help", "--h"},
      usageHelp = true,
      description = "Print this and exit.")
  @SuppressWarnings("unused") // picocli itself acts on it
  private boolean helpAsked;

  Main(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Runs until it is told to stop; the exit code is 0 then, and not if it could not start. */
  public static void main(String[] arguments) {
    System.exit(start(System.getenv(), arguments));
  }

  private static int start(Map<String, String> environment, String... arguments) {
    Main main = new Main(environment);
    if (!main.plainFlags().read(arguments)) {
      return execute(commandLine(environment), arguments);
    }
    warn(main.err(), arguments);
    Preparation preparation = Preparation.begin();
    CsiServer.prepare();
    try {
      preparation.await();
      return main.call();
    } catch (InterruptedException | RuntimeException e) {
      LoggerFactory.getLogger(Main.class).error("csi-hostpath ends", e);
      return NOT_STARTED;
    }
  }

  PlainFlags plainFlags() {
    PlainFlags flags = new PlainFlags();
    flags.text(value -> driverName = value, "--drivername");
    flags.text(value -> nodeId = value, "--nodeid");
    server.register(flags);
    storage.register(flags);
    features.register(flags);
    attach.register(flags);
    pod.register(flags);
    logging.register(flags);
    deprecated.register(flags);
    return flags;
  }

  private static void warn(PrintWriter err, String... arguments) {
    for (String warning : DeprecatedOptions.warnings(arguments)) {
      err.println("csi-hostpath: " + warning);
    }
    err.flush();
  }

  static CommandLine commandLine(Map<String, String> environment) {
    return new CommandLine(new Main(environment)).setOverwrittenOptionsAllowed(true);
  }

  static int execute(CommandLine commandLine, String... arguments) {
    warn(commandLine.getErr(), arguments);
    return commandLine.execute(GoArguments.normalise(commandLine.getCommandSpec(), arguments));
  }

  @Override
  public Integer call() throws InterruptedException {
    logging.apply();
    try {
      CsiEndpoint where = server.endpoint(environment);
      if (server.proxyEndpoint().isPresent()) {
        return relay(
            where,
            server.proxyEndpoint().get(),
            new Access(server.socketMode(), server.socketGroup()));
      }
      return serve(settings(), where);
    } catch (IllegalArgumentException e) {
      return refuse(WRONG_FLAGS, e);
    } catch (IOException e) {
      return refuse(NOT_STARTED, e);
    }
  }

  private int serve(HostpathSettings settings, CsiEndpoint where)
      throws IOException, InterruptedException {
    try (HostpathDriver hostpath = HostpathDriver.open(settings);
        Serving serving =
            ExitHook.start(() -> Serving.start(hostpath.driver(), where, server, pod))) {
      serving.awaitClosed();
      return 0;
    }
  }

  private static int relay(CsiEndpoint callers, CsiEndpoint driver, Access access)
      throws IOException, InterruptedException {
    try (Proxy proxy = ExitHook.start(() -> Proxy.start(callers, driver, access))) {
      return proxy.awaitClosed() ? 0 : ENDED;
    }
  }

  HostpathSettings settings() {
    return new HostpathSettings(
        driverName,
        version(),
        nodeId,
        storage.stateDirectory(),
        storage.runDirectory(driverName),
        server.mode(),
        server.advertised(),
        storage.sizes(),
        attach.settings(),
        features.settings());
  }

  private int refuse(int exitCode, Exception reason) {
    PrintWriter err = err();
    err.println(
        "csi-hostpath does not start: "
            + (reason instanceof IOException e ? DiskErrors.reason(e) : reason.getMessage()));
    err.flush();
    return exitCode;
  }

  private PrintWriter err() {
    return spec == null
        ? new PrintWriter(System.err, true, StandardCharsets.UTF_8)
        : spec.commandLine().getErr();
  }

  static String version() {
    String version = Main.class.getPackage().getImplementationVersion();
    return version == null ? "unreleased" : version;
  }

  /** The version that the build wrote into the jar. */
  static final class Version implements CommandLine.IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"csi-hostpath " + version()};
    }
  }
}
