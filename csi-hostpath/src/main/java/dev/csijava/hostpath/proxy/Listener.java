package dev.csijava.hostpath.proxy;

import dev.csijava.core.CsiEndpoint;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One listening socket: a Unix socket, whose file it owns, or a TCP port. */
final class Listener implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(Listener.class);

  private final ServerSocketChannel channel;
  private final @Nullable Path path;
  private final @Nullable Object inode;

  private Listener(ServerSocketChannel channel, @Nullable Path path, @Nullable Object inode) {
    this.channel = channel;
    this.path = path;
    this.inode = inode;
  }

  static Listener bind(CsiEndpoint endpoint) throws IOException {
    Path path = endpoint.path().orElse(null);
    ServerSocketChannel channel =
        path == null
            ? ServerSocketChannel.open()
            : ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    try {
      if (path == null) {
        URI uri = URI.create(endpoint.toString());
        channel.bind(new InetSocketAddress(uri.getHost(), uri.getPort()));
        return new Listener(channel, null, null);
      }
      removeDead(path);
      channel.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      return new Listener(channel, path, attributes(path).fileKey());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static BasicFileAttributes attributes(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
  }

  /** Only a socket that nobody answers at goes (rule K14); of anything else the bind says why. */
  private static void removeDead(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS) || !attributes(path).isOther()) {
      return;
    }
    try (SocketChannel _ = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      throw new IOException(path + " is in use: another process serves it");
    } catch (java.net.ConnectException e) {
      Files.delete(path);
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
      if (path != null
          && Files.exists(path, LinkOption.NOFOLLOW_LINKS)
          && attributes(path).fileKey().equals(inode)) {
        Files.delete(path);
      }
    } catch (IOException e) {
      log.warn("the socket {} stays", path, e);
    }
  }
}
