package dev.csijava.testkit.cli;

import dev.csijava.testkit.client.DriverEndpoint;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Which driver is meant. */
final class EndpointOption {
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("NullAway.Init") // picocli fills it in
  private CommandSpec spec;

  @Option(
      names = "--endpoint",
      defaultValue = "${env:CSI_ENDPOINT}",
      description =
          "The driver: unix:///path, a path, tcp://host:port or dns:///host:port. Default:"
              + " $CSI_ENDPOINT")
  private @Nullable String endpoint;

  String text() {
    if (endpoint == null || endpoint.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "no driver: give --endpoint, or set CSI_ENDPOINT");
    }
    return endpoint;
  }

  DriverEndpoint get() {
    try {
      return DriverEndpoint.parse(text());
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), e.getMessage(), e);
    }
  }
}
