package dev.csijava.core;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a driver listens: a Unix socket, or a TCP port of the loopback interface for tests.
 *
 * <p>Immutable.
 *
 * @since 0.1.0
 */
public final class CsiEndpoint {
  /** The environment variable that the specification names. */
  static final String VARIABLE = "CSI_ENDPOINT";

  /** The kernel's sun_path holds 108 bytes, the last of them zero. */
  private static final int LONGEST_PATH = 107;

  private final @Nullable Path path;
  private final SocketAddress address;

  private CsiEndpoint(@Nullable Path path, SocketAddress address) {
    this.path = path;
    this.address = address;
  }

  /**
   * Reads an endpoint: {@code unix:///run/csi/csi.sock}, {@code unix:/run/csi/csi.sock}, {@code
   * /run/csi/csi.sock} or {@code tcp://127.0.0.1:10000}.
   *
   * @throws IllegalArgumentException with a sentence, if it is none of these, if the path is not
   *     absolute or longer than the 107 bytes that the kernel takes, or if the TCP address is not
   *     of the loopback interface
   * @since 0.1.0
   */
  public static CsiEndpoint parse(String endpoint) {
    String lower = endpoint.toLowerCase(Locale.ROOT);
    if (lower.startsWith("unix://")) {
      return unix(path(endpoint.substring("unix://".length()), endpoint));
    }
    if (lower.startsWith("unix:")) {
      return unix(path(endpoint.substring("unix:".length()), endpoint));
    }
    if (lower.startsWith("tcp://")) {
      return tcp(endpoint);
    }
    if (endpoint.startsWith("/")) {
      return unix(path(endpoint, endpoint));
    }
    throw new IllegalArgumentException(
        "the endpoint '"
            + endpoint
            + "' is none: give unix:///absolute/path.sock, an absolute path or"
            + " tcp://127.0.0.1:port");
  }

  /**
   * A Unix socket at an absolute path.
   *
   * @throws IllegalArgumentException as {@link #parse} does
   * @since 0.1.0
   */
  public static CsiEndpoint unix(Path path) {
    if (!path.isAbsolute()) {
      throw new IllegalArgumentException(
          "the socket path '"
              + path
              + "' is not absolute; write it from the root, as in"
              + " unix:///run/csi/csi.sock");
    }
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new IllegalArgumentException(
          "the socket path '"
              + path
              + "' has "
              + length
              + " bytes and the kernel takes 107; choose a shorter directory");
    }
    return new CsiEndpoint(path, UnixDomainSocketAddress.of(path));
  }

  /**
   * The endpoint that CSI_ENDPOINT names.
   *
   * @throws IllegalArgumentException if it is not set, or as {@link #parse} does
   * @since 0.1.0
   */
  public static CsiEndpoint fromEnvironment() {
    return fromEnvironment(System.getenv());
  }

  static CsiEndpoint fromEnvironment(Map<String, String> environment) {
    String value = environment.getOrDefault(VARIABLE, "");
    if (value.isBlank()) {
      throw new IllegalArgumentException(
          VARIABLE + " is not set; set it to unix:///absolute/path.sock");
    }
    return parse(value.strip());
  }

  /**
   * The path of the Unix socket; empty for TCP.
   *
   * @since 0.1.0
   */
  public Optional<Path> path() {
    return Optional.ofNullable(path);
  }

  /** The address that a TCP server got. */
  static CsiEndpoint loopback(InetSocketAddress address) {
    return new CsiEndpoint(null, address);
  }

  /** What to bind or connect to. */
  SocketAddress address() {
    return address;
  }

  /** As {@link #parse} reads it. */
  @Override
  public String toString() {
    return path != null
        ? "unix://" + path
        : "tcp:/" + ((InetSocketAddress) address).toString().replaceFirst("^[^/]*", "");
  }

  private static Path path(String text, String endpoint) {
    try {
      if (text.isEmpty()) {
        throw new InvalidPathException(text, "no path");
      }
      return Path.of(text);
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException(
          "the endpoint '" + endpoint + "' has no usable path: " + e.getReason(), e);
    }
  }

  private static CsiEndpoint tcp(String endpoint) {
    try {
      URI uri = new URI(endpoint);
      if (uri.getHost() == null || uri.getPort() < 0) {
        throw new URISyntaxException(endpoint, "host and port are needed");
      }
      InetAddress host = InetAddress.getByName(uri.getHost());
      if (!host.isLoopbackAddress()) {
        throw new IllegalArgumentException(
            "the endpoint '"
                + endpoint
                + "' is not on the loopback interface; CSI has no authentication, so a driver is"
                + " never offered to the network");
      }
      return new CsiEndpoint(null, new InetSocketAddress(host, uri.getPort()));
    } catch (URISyntaxException | UnknownHostException e) {
      throw new IllegalArgumentException(
          "the endpoint '" + endpoint + "' can't be read: " + e.getMessage(), e);
    }
  }
}
