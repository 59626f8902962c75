package dev.csijava.hostpath.options;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.Mode;
import dev.csijava.core.SpecVersion;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where and what is served. */
public final class ServerOptions {
  private static final String DEFAULT_ENDPOINT = "unix:///tmp/csi.sock";

  @Option(
      names = "--endpoint",
      paramLabel = "ENDPOINT",
      description =
          "Where to listen: unix:///path, unix:/path, a path, or tcp://127.0.0.1:port. Default:"
              + " $CSI_ENDPOINT, else "
              + DEFAULT_ENDPOINT)
  private @Nullable String endpoint;

  @Option(
      names = "--proxy-endpoint",
      paramLabel = "ENDPOINT",
      defaultValue = "",
      description =
          "Be no driver: join each connection to --endpoint with one to this endpoint, where a"
              + " driver elsewhere connects. Default: be a driver")
  private String proxyEndpoint = "";

  @Option(
      names = "--mode",
      paramLabel = "MODE",
      defaultValue = "all",
      description = "Which services are served: all, controller or node. Default: ${DEFAULT-VALUE}")
  private String mode = "all";

  @Option(
      names = "--csi-version",
      paramLabel = "VERSION",
      defaultValue = "1.12",
      description =
          "Whose capabilities are advertised, 1.12 or 1.13; the calls of both are served. Default:"
              + " ${DEFAULT-VALUE}")
  private String csiVersion = "1.12";

  @Option(
      names = "--socket-mode",
      paramLabel = "MODE",
      defaultValue = "0600",
      description = "The mode of the socket, octal. Default: ${DEFAULT-VALUE}")
  private String socketMode = "0600";

  @Option(
      names = "--socket-group",
      paramLabel = "GROUP",
      defaultValue = "",
      description = "The group of the socket, a name or number. Default: that of the process")
  private String socketGroup = "";

  /** The same flags once more; a test holds both equal. */
  public void register(PlainFlags flags) {
    flags.text(value -> endpoint = value, "--endpoint");
    flags.text(value -> proxyEndpoint = value, "--proxy-endpoint");
    flags.text(value -> mode = value, "--mode");
    flags.text(value -> csiVersion = value, "--csi-version");
    flags.text(value -> socketMode = value, "--socket-mode");
    flags.text(value -> socketGroup = value, "--socket-group");
  }

  /**
   * Where to listen.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public CsiEndpoint endpoint(Map<String, String> environment) {
    if (endpoint != null && !endpoint.isEmpty()) {
      return CsiEndpoint.parse(endpoint);
    }
    String named = environment.getOrDefault("CSI_ENDPOINT", "");
    return CsiEndpoint.parse(named.isEmpty() ? DEFAULT_ENDPOINT : named);
  }

  /**
   * The other side, if this is to be a proxy. As Go has it, {@code tcp://:port} names no host; it
   * is the loopback interface here, for there is no authentication.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public Optional<CsiEndpoint> proxyEndpoint() {
    return proxyEndpoint.isEmpty()
        ? Optional.empty()
        : Optional.of(
            CsiEndpoint.parse(proxyEndpoint.replaceFirst("^tcp://:", "tcp://127.0.0.1:")));
  }

  /**
   * The services.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public Mode mode() {
    return switch (mode) {
      case "all" -> Mode.ALL;
      case "controller" -> Mode.CONTROLLER;
      case "node" -> Mode.NODE;
      default ->
          throw new IllegalArgumentException("--mode is all, controller or node, not " + mode);
    };
  }

  /**
   * The version of the interface.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public SpecVersion advertised() {
    return switch (csiVersion) {
      case "1.12" -> SpecVersion.V1_12;
      case "1.13" -> SpecVersion.V1_13;
      default ->
          throw new IllegalArgumentException("--csi-version is 1.12 or 1.13, not " + csiVersion);
    };
  }

  /**
   * The mode of the socket file.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public Set<PosixFilePermission> socketMode() {
    if (!socketMode.matches("0?[0-7]{3}")) {
      throw new IllegalArgumentException(
          "--socket-mode is octal, for example 0660, not " + socketMode);
    }
    int bits = Integer.parseInt(socketMode, 8);
    PosixFilePermission[] all = PosixFilePermission.values();
    Set<PosixFilePermission> permissions = EnumSet.noneOf(PosixFilePermission.class);
    for (int i = 0; i < all.length; i++) {
      // In the order of the bits, the owner's read first.
      if ((bits & (1 << (all.length - 1 - i))) != 0) {
        permissions.add(all[i]);
      }
    }
    return permissions;
  }

  /** The group of the socket file, if it is to have another. */
  public Optional<String> socketGroup() {
    return socketGroup.isEmpty() ? Optional.empty() : Optional.of(socketGroup);
  }
}
