package dev.csijava.hostpath.proxy;

import dev.csijava.hostpath.disk.DiskErrors;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The file of a Unix socket: takes the place of a dead socket, never of a live one and never of any
 * other file; is never open wider than asked for; removes only what it made (rule K14).
 */
record SocketFile(Path path, Object key) {
  private static final int TYPE_MASK = 0170000;
  private static final int SOCKET = 0140000;
  private static final int NAMES = 36 * 36 * 36 * 36 * 36;

  /**
   * Binds a channel.
   *
   * @throws IOException with a sentence; nothing is left then
   */
  static SocketFile bind(ServerSocketChannel channel, Path path, Access access) throws IOException {
    makeRoom(path);
    // The umask has a say in the mode that a socket is born with. So it is born where nobody else
    // may go, and shown when it is as narrow as it has to be.
    Path nursery = nursery(path);
    Path born = nursery.resolve("s");
    try {
      channel.bind(UnixDomainSocketAddress.of(born));
      grant(born, access);
      // Unlike a rename it takes nobody's place.
      Files.createLink(path, born);
      return new SocketFile(path, key(born).orElseThrow());
    } catch (IOException e) {
      throw new IOException("the socket " + path + " can't be made: " + DiskErrors.reason(e), e);
    } finally {
      Files.deleteIfExists(born);
      Files.deleteIfExists(nursery);
    }
  }

  /** A short name, since the kernel takes no long path for a socket. */
  private static Path nursery(Path path) throws IOException {
    String name = "." + Integer.toString(ThreadLocalRandom.current().nextInt(NAMES), 36);
    try {
      return Files.createDirectory(
          path.resolveSibling(name),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (NoSuchFileException e) {
      throw new IOException(
          "the socket " + path + " can't be made, since there is no directory " + path.getParent(),
          e);
    }
  }

  private static void grant(Path born, Access access) throws IOException {
    if (access.group().isPresent()) {
      Files.getFileAttributeView(born, PosixFileAttributeView.class)
          .setGroup(
              born.getFileSystem()
                  .getUserPrincipalLookupService()
                  .lookupPrincipalByGroupName(access.group().get()));
    }
    Files.setPosixFilePermissions(born, access.mode());
  }

  private static void makeRoom(Path path) throws IOException {
    Optional<Object> found = key(path);
    if (found.isEmpty()) {
      return;
    }
    // A pipe refuses a connection too, and must not be taken for a dead socket.
    int mode = (Integer) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    if ((mode & TYPE_MASK) != SOCKET) {
      throw new IOException(
          path + " is there and is no socket; remove it or choose another endpoint");
    }
    if (isServed(path)) {
      throw new IOException(
          "another process serves " + path + "; stop it or choose another endpoint");
    }
    if (found.equals(key(path))) {
      Files.deleteIfExists(path);
    }
  }

  private static boolean isServed(Path path) throws IOException {
    try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      // It must not wait for a server that takes no more connections.
      probe.configureBlocking(false);
      probe.connect(UnixDomainSocketAddress.of(path));
      return true;
    } catch (ConnectException e) {
      return false;
    } catch (IOException e) {
      if (String.valueOf(e.getMessage()).contains("temporarily unavailable")) {
        return true;
      }
      throw new IOException(
          path + " can't be probed: " + DiskErrors.reason(e) + "; remove it if nobody serves it",
          e);
    }
  }

  /** Removes it, if it is still the one that was made. */
  void remove() throws IOException {
    if (key(path).filter(key::equals).isPresent()) {
      Files.deleteIfExists(path);
    }
  }

  private static Optional<Object> key(Path path) throws IOException {
    try {
      return Optional.of(
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
              .fileKey());
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
