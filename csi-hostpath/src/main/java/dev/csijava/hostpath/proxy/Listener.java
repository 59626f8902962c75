package dev.csijava.hostpath.proxy;

import dev.csijava.core.CsiEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listening socket: a Unix socket, whose file it owns, or a TCP port. */
final class Listener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Listener.class);

  private final ServerSocketChannel channel;
  private final @Nullable SocketFile file;

  private Listener(ServerSocketChannel channel, @Nullable SocketFile file) {
    this.channel = channel;
    this.file = file;
  }

  /**
   * @throws IOException with a sentence that names the endpoint; nothing is left then
   */
  static Listener bind(CsiEndpoint endpoint, Access access) throws IOException {
    Path path = endpoint.path().orElse(null);
    ServerSocketChannel channel =
        path == null
            ? ServerSocketChannel.open()
            : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      if (path != null) {
        return new Listener(channel, SocketFile.bind(channel, path, access));
      }
      bindPort(channel, endpoint);
      return new Listener(channel, null);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static void bindPort(ServerSocketChannel channel, CsiEndpoint endpoint)
      throws IOException {
    URI uri = URI.create(endpoint.toString());
    try {
      channel.bind(new InetSocketAddress(uri.getHost(), uri.getPort()));
    } catch (IOException e) {
      throw new IOException("can't listen at " + endpoint + ": " + e.getMessage(), e);
    }
  }

  SocketChannel accept() throws IOException {
    return channel.accept();
  }

  int port() throws IOException {
    return ((InetSocketAddress) channel.getLocalAddress()).getPort();
  }

  @Override
  public void close() {
    try {
      channel.close();
      if (file != null) {
        file.remove();
      }
    } catch (IOException e) {
      log.warn("the socket {} stays", file, e);
    }
  }
}
