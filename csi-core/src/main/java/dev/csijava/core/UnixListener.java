package dev.csijava.core;

import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A bound Unix socket and the file that stands for it. Takes the place of a dead socket, never of a
 * live one and never of any other file; is never open wider than asked for, not even between bind
 * and chmod; removes only the file that it made (rule K14).
 */
final class UnixListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(UnixListener.class);
  private static final Path OWN_DESCRIPTORS = Path.of("/proc/self/fd");
  private static final int TYPE_MASK = 0170000;
  private static final int SOCKET = 0140000;

  private final Path path;
  private final ServerSocketChannel channel;
  private final Object fileKey;

  private UnixListener(Path path, ServerSocketChannel channel, Object fileKey) {
    this.path = path;
    this.channel = channel;
    this.fileKey = fileKey;
  }

  /**
   * Binds and listens.
   *
   * @throws IOException with a sentence if something else is at the path or the mode can't be kept
   */
  static UnixListener bind(Path path, int backlog, SocketAccess access) throws IOException {
    makeRoom(path);
    ServerSocketChannel channel = openNarrow();
    try {
      listen(channel, path, backlog);
      Object key = key(path);
      if (key == null) {
        throw new IOException("the socket " + path + " vanished while it was bound");
      }
      UnixListener listener = new UnixListener(path, channel, key);
      try {
        listener.grant(access);
      } catch (IOException | RuntimeException e) {
        listener.close();
        throw e;
      }
      return listener;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** The kernel's words name no path. */
  private static void listen(ServerSocketChannel channel, Path path, int backlog)
      throws IOException {
    try {
      channel.bind(UnixDomainSocketAddress.of(path), backlog);
    } catch (IOException e) {
      Path directory = path.toAbsolutePath().getParent();
      throw new IOException(
          directory != null && Files.notExists(directory)
              ? "the socket " + path + " can't be made, since there is no directory " + directory
              : "the socket " + path + " can't be bound: " + e.getMessage(),
          e);
    }
  }

  ServerSocketChannel channel() {
    return channel;
  }

  /** Removes the file if it is still the one that was made here, then stops listening. */
  @Override
  public void close() throws IOException {
    try {
      if (fileKey.equals(key(path))) {
        Files.deleteIfExists(path);
      }
    } finally {
      channel.close();
    }
  }

  private static void makeRoom(Path path) throws IOException {
    Object found = key(path);
    if (found == null) {
      return;
    }
    if (!isSocket(path)) {
      throw new IOException(
          path
              + " exists and is no socket; it is left alone. Remove it or choose another endpoint");
    }
    if (isLive(path)) {
      throw new IOException(
          "another process serves " + path + "; stop it or choose another endpoint");
    }
    // Looked at again right before: another starting driver may have taken the dead one's place.
    if (found.equals(key(path))) {
      LOG.info("removing the socket {}, which nobody serves", path);
      Files.deleteIfExists(path);
    }
  }

  /** Pipes and devices refuse a connection as a dead socket does, and must not be taken for one. */
  private static boolean isSocket(Path path) throws IOException {
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & TYPE_MASK) == SOCKET;
  }

  /** Whether somebody serves the socket; nobody does where none is, or none is any more. */
  static boolean isLive(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      probe.configureBlocking(false);
      probe.connect(UnixDomainSocketAddress.of(path));
      return true;
    } catch (ConnectException refused) {
      return false;
    } catch (IOException e) {
      if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
        return false; // its owner, which stops, has taken it away meanwhile
      }
      String reason = String.valueOf(e.getMessage());
      if (reason.contains("Connection refused")) {
        return false;
      }
      if (reason.contains("Resource temporarily unavailable")) {
        return true; // its backlog is full: someone holds it
      }
      throw new IOException(
          path
              + " can't be probed ("
              + reason
              + "); it is left alone. Remove it if nobody uses it, or choose another endpoint",
          e);
    }
  }

  /**
   * Opens a socket whose file will be born with mode 0600. Linux takes the mode of the new file
   * from the unbound socket, less the umask; Java can't reach fchmod, but the kernel's link to the
   * descriptor does the same.
   */
  private static ServerSocketChannel openNarrow() throws IOException {
    // The first socket of a process opens descriptors of its own; get those out of the way.
    SocketChannel.open(StandardProtocolFamily.UNIX).close();
    Map<Path, String> before = sockets();
    ServerSocketChannel channel = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    for (Map.Entry<Path, String> socket : sockets().entrySet()) {
      if (!socket.getValue().equals(before.get(socket.getKey()))) {
        // Another thread's fresh socket may be among them; the mode of a connected one means
        // nothing.
        narrow(socket.getKey());
      }
    }
    return channel;
  }

  /** The process's descriptors that are sockets, with the kernel's name for each. */
  private static Map<Path, String> sockets() throws IOException {
    Map<Path, String> found = new HashMap<>();
    if (Files.isDirectory(OWN_DESCRIPTORS)) {
      try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(OWN_DESCRIPTORS)) {
        for (Path descriptor : descriptors) {
          String target = target(descriptor);
          if (target.startsWith("socket:")) {
            found.put(descriptor, target);
          }
        }
      }
    }
    return found;
  }

  private static String target(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).toString();
    } catch (IOException e) {
      return ""; // closed meanwhile
    }
  }

  private static void narrow(Path descriptor) {
    try {
      Files.setPosixFilePermissions(descriptor, SocketAccess.OWNER_ONLY);
    } catch (IOException e) {
      LOG.debug("can't narrow {}; the mode of the bound socket is checked below", descriptor, e);
    }
  }

  private void grant(SocketAccess access) throws IOException {
    PosixFileAttributeView view =
        Files.getFileAttributeView(path, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    Set<PosixFilePermission> born = view.readAttributes().permissions();
    if (!access.mode().containsAll(born)) {
      throw new IOException(
          "the socket "
              + path
              + " was open to more users than asked for ("
              + PosixFilePermissions.toString(born)
              + ") when it was bound; start the driver with umask 0177");
    }
    UserPrincipalLookupService users = FileSystems.getDefault().getUserPrincipalLookupService();
    if (access.group() != null) {
      view.setGroup(users.lookupPrincipalByGroupName(access.group()));
    }
    if (access.owner() != null) {
      view.setOwner(users.lookupPrincipalByName(access.owner()));
    }
    // Java can't change the mode of a socket without following links, so: ours, or not at all.
    if (!access.mode().equals(born) && fileKey.equals(key(path))) {
      Files.setPosixFilePermissions(path, access.mode());
    }
  }

  private static @Nullable Object key(Path path) throws IOException {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return attributes.fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }
}
