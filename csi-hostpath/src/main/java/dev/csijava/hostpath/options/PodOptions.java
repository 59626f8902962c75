package dev.csijava.hostpath.options;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What else runs in a node's pod: registration with kubelet, health pages, metrics. */
public final class PodOptions {
  private static final int LARGEST_PORT = 65535;

  @Option(
      names = "--http-endpoint",
      paramLabel = "ADDRESS",
      defaultValue = "",
      description =
          "Serve /healthz, /readyz and /metrics here, for example :9898 or 127.0.0.1:9898. Default:"
              + " do not")
  private String httpEndpoint = "";

  @Option(
      names = "--kubelet-registration-path",
      paramLabel = "PATH",
      description =
          "Register with kubelet, which finds the driver's socket at this path of the host."
              + " Default: do not; node-driver-registrar does it")
  private @Nullable Path registrationPath;

  @Option(
      names = "--plugin-registration-path",
      paramLabel = "DIRECTORY",
      defaultValue = "/registration",
      description =
          "Where kubelet's directory plugins_registry is seen by this process. Default:"
              + " ${DEFAULT-VALUE}")
  private Path registrationDirectory = Path.of("/registration");

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.text(value -> httpEndpoint = value, "--http-endpoint");
    flags.path(value -> registrationPath = value, "--kubelet-registration-path");
    flags.path(value -> registrationDirectory = value, "--plugin-registration-path");
  }

  /**
   * Where pages are served, if they are.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public Optional<InetSocketAddress> httpEndpoint() {
    if (httpEndpoint.isEmpty()) {
      return Optional.empty();
    }
    int colon = httpEndpoint.lastIndexOf(':');
    String port = httpEndpoint.substring(colon + 1);
    if (colon < 0 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > LARGEST_PORT) {
      throw new IllegalArgumentException(
          "--http-endpoint is an address and a port, for example :9898, not " + httpEndpoint);
    }
    String host = httpEndpoint.substring(0, colon);
    InetSocketAddress address =
        host.isEmpty()
            ? new InetSocketAddress(Integer.parseInt(port))
            : new InetSocketAddress(host, Integer.parseInt(port));
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("--http-endpoint: there is no host " + host);
    }
    return Optional.of(address);
  }

  /** The driver's socket on the host, if kubelet is to be told of it. */
  public Optional<Path> registrationPath() {
    return Optional.ofNullable(registrationPath);
  }

  /** Kubelet's directory as this process sees it. */
  public Path registrationDirectory() {
    return registrationDirectory;
  }
}
