package dev.csijava.testkit.cli;

import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.DriverEndpoint;
import dev.csijava.testkit.client.StatusText;
import dev.csijava.testkit.load.LoadReports;
import dev.csijava.testkit.load.LoadResult;
import dev.csijava.testkit.load.LoadRun;
import dev.csijava.testkit.load.LoadSettings;
import dev.csijava.testkit.load.LoadText;
import dev.csijava.testkit.load.LoadWork;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Puts load on a driver, or on two in turn. */
@Command(
    name = "load",
    description =
        "Repeats calls and prints how long they took; with --versus those of two drivers in turn,"
            + " with the ratio. Removes what it made, also when it is interrupted. Exit status 1"
            + " if a call failed or something is left.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class LoadCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Mixin private final EndpointOption endpoint = new EndpointOption();

  @Option(names = "--versus", description = "A second driver, to be compared with the first.")
  private @Nullable String versus;

  @Option(
      names = "--rpc",
      paramLabel = "WORK",
      required = true,
      description =
          "publish (and unpublish), create (and delete), stats, mixed (the whole life of a"
              + " volume) or probe.")
  private String work = "";

  @Option(
      names = "--volumes",
      defaultValue = "10",
      description = "How many volumes there are meanwhile. Default: ${DEFAULT-VALUE}")
  private int volumes;

  @Option(
      names = "--concurrency",
      defaultValue = "1",
      description = "How many calls are under way at once. Default: ${DEFAULT-VALUE}")
  private int concurrency;

  @Option(
      names = "--duration",
      paramLabel = "SECONDS",
      defaultValue = "10",
      description = "How long each driver is measured. Default: ${DEFAULT-VALUE}")
  private double duration;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "2",
      description = "How long each is called before that. Default: ${DEFAULT-VALUE}")
  private double warmUp;

  @Option(names = "--new-connection", description = "Connect for every call, as kubelet does.")
  private boolean newConnection;

  @Option(
      names = "--size",
      converter = SizeConverter.class,
      defaultValue = "16Mi",
      description = "The size of volumes. Default: ${DEFAULT-VALUE}")
  private long size;

  @Option(
      names = {"--capability", "--cap"},
      converter = CapabilityText.class,
      defaultValue = "SINGLE_NODE_WRITER,mount",
      description = "How volumes are used: mode,type[,fs[,flag...]]. Default: ${DEFAULT-VALUE}")
  private VolumeCapability capability = VolumeCapability.getDefaultInstance();

  @Option(names = "--parameter", description = "key=value of CreateVolume; repeatable.")
  private Map<String, String> parameters = Map.of();

  @Option(
      names = "--secrets",
      paramLabel = "FILE",
      description = "Secrets of each RPC: YAML or JSON, CreateVolumeSecret: {key: value}, ...")
  private @Nullable Path secrets;

  @Option(
      names = "--target-dir",
      paramLabel = "DIR",
      description =
          "Volumes are staged and published below it; the driver must see it at the same path."
              + " Default: the directory for temporary files")
  private @Nullable Path directory;

  @Option(
      names = "--call-timeout",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "How long a call may take. Default: ${DEFAULT-VALUE}")
  private double callTimeout;

  @Option(
      names = "--report",
      paramLabel = "DIR",
      description = "Write load.html, load.json and load.txt there.")
  private @Nullable Path report;

  @Override
  public Integer call() throws IOException, InterruptedException {
    List<DriverEndpoint> endpoints = new ArrayList<>(List.of(endpoint.get()));
    LoadSettings settings;
    try {
      if (versus != null) {
        endpoints.add(DriverEndpoint.parse(versus));
      }
      settings = settings();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
    PrintWriter err = spec.commandLine().getErr();
    LoadRun run = new LoadRun(settings, endpoints);
    StopHook hook = StopHook.install(err, run::stop, run::unremoved);
    try {
      LoadResult result = run.run();
      print(result);
      return result.clean() ? 0 : FAILED;
    } catch (StatusRuntimeException e) {
      err.println("csi load: a driver can't be asked: " + StatusText.of(e.getStatus()));
      return FAILED;
    } catch (IllegalStateException e) {
      err.println("csi load: " + e.getMessage());
      return FAILED;
    } finally {
      hook.close();
    }
  }

  private void print(LoadResult result) throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    LoadText.of(result).forEach(out::println);
    if (report != null) {
      LoadReports.writeTo(report, result);
      out.println("report: " + report.resolve("load.html").toAbsolutePath());
    }
    out.flush();
  }

  private LoadSettings settings() {
    return new LoadSettings(
        LoadWork.valueOf(known(work)),
        volumes,
        concurrency,
        seconds(duration),
        seconds(warmUp),
        newConnection,
        size,
        capability,
        parameters,
        secrets == null ? Map.of() : KeyValueFile.secrets(secrets),
        Optional.ofNullable(directory).map(path -> path.toAbsolutePath().normalize()),
        seconds(callTimeout));
  }

  private static String known(String work) {
    String name = work.toUpperCase(Locale.ROOT);
    for (LoadWork one : LoadWork.values()) {
      if (one.name().equals(name)) {
        return name;
      }
    }
    throw new IllegalArgumentException(
        "--rpc is publish, create, stats, mixed or probe, not " + work);
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }
}
