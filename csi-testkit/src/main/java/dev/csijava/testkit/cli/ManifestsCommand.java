package dev.csijava.testkit.cli;

import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.StatusText;
import dev.csijava.testkit.manifests.DriverFacts;
import dev.csijava.testkit.manifests.ManifestSettings;
import dev.csijava.testkit.manifests.Manifests;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Prints what a cluster needs for a driver. */
@Command(
    name = "manifests",
    description =
        "Asks a driver for its capabilities and prints what a Kubernetes cluster needs for it:"
            + " CSIDriver, service account, the rights of each sidecar, workload, classes. Options"
            + " may come from a file: @FILE.",
    sortOptions = false,
    mixinStandardHelpOptions = true)
final class ManifestsCommand implements Callable<Integer> {
  private static final int FAILED = 1;

  @Spec
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Mixin private final EndpointOption endpoint = new EndpointOption();

  @Option(
      names = "--timeout",
      defaultValue = "10",
      description = "How long to wait for each answer, in seconds. Default: ${DEFAULT-VALUE}")
  private int timeoutSeconds;

  @Mixin private final ManifestOptions options = new ManifestOptions();

  @Override
  public Integer call() throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    ManifestSettings settings = settings();
    try (CsiConnection connection = CsiConnection.to(endpoint.get())) {
      Channel channel = ClientInterceptors.intercept(connection.kept(), this::withDeadline);
      DriverFacts facts = DriverFacts.ask(channel);
      Manifests manifests = Manifests.of(facts, settings);
      String title =
          "What a cluster needs for "
              + facts.name()
              + "; printed by bin/csi manifests, not by hand.";
      spec.commandLine().getOut().print(manifests.yaml(title));
      spec.commandLine().getOut().flush();
      manifests.notes().forEach(note -> err.println("csi manifests: " + note));
      return 0;
    } catch (IllegalArgumentException e) {
      err.println("csi manifests: " + e.getMessage());
      return FAILED;
    } catch (StatusRuntimeException e) {
      err.println("csi manifests: the driver can't be asked: " + StatusText.of(e.getStatus()));
      return FAILED;
    }
  }

  private ManifestSettings settings() throws IOException {
    try {
      return options.settings();
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private <Q, A> ClientCall<Q, A> withDeadline(
      MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
    return next.newCall(method, options.withDeadlineAfter(timeoutSeconds, TimeUnit.SECONDS));
  }
}
