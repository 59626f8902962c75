package dev.csijava.testkit.client;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where a driver is reached: a Unix socket or a TCP port.
 *
 * @since 0.1.0
 */
public final class DriverEndpoint {
  private static final String FORMS =
      "; give unix:///absolute/path.sock, an absolute path, tcp://host:port or dns:///host:port";

  private final String text;
  private final @Nullable Path path;
  private final String host;
  private final int port;

  private DriverEndpoint(String text, @Nullable Path path, String host, int port) {
    this.text = text;
    this.path = path;
    this.host = host;
    this.port = port;
  }

  /**
   * Reads {@code unix:///path}, {@code unix:/path}, {@code /path}, {@code tcp://host:port} or
   * {@code dns:///host:port}.
   *
   * @throws IllegalArgumentException with a sentence, if it is none of these
   * @since 0.1.0
   */
  public static DriverEndpoint parse(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (String scheme : new String[] {"unix://", "unix:"}) {
      if (lower.startsWith(scheme)) {
        return unix(text, text.substring(scheme.length()));
      }
    }
    for (String scheme : new String[] {"tcp://", "dns:///"}) {
      if (lower.startsWith(scheme)) {
        return tcp(text, text.substring(scheme.length()));
      }
    }
    return unix(text, text);
  }

  private static DriverEndpoint unix(String text, String path) {
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("'" + text + "' is no endpoint" + FORMS);
    }
    return new DriverEndpoint(text, Path.of(path), "", 0);
  }

  private static DriverEndpoint tcp(String text, String address) {
    int colon = address.lastIndexOf(':');
    try {
      String host = address.substring(0, Math.max(colon, 0)).replace("[", "").replace("]", "");
      int port = Integer.parseInt(address.substring(colon + 1));
      if (host.isEmpty() || port <= 0 || port > 0xffff) {
        throw new IllegalArgumentException("'" + text + "' has no host and port" + FORMS);
      }
      return new DriverEndpoint(text, null, host, port);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' has no port" + FORMS, e);
    }
  }

  /**
   * The path of the Unix socket; empty for TCP.
   *
   * @since 0.1.0
   */
  public Optional<Path> path() {
    return Optional.ofNullable(path);
  }

  /** What to connect to; looks the host up. */
  SocketAddress address() {
    return path == null ? new InetSocketAddress(host, port) : UnixDomainSocketAddress.of(path);
  }

  /** As it was given. */
  @Override
  public String toString() {
    return text;
  }
}
