package dev.csijava.core.kubelet;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The socket file of a registration: never reachable for others, never in another's place.
 *
 * <p>A socket that is bound gets the mode that the umask leaves, and Java can't set the umask. So
 * it is bound inside a fresh directory of mode 0700, gets mode 0600 there, and only then its name
 * by link(2), which (unlike rename(2)) never replaces what somebody else put there meanwhile. The
 * names of directory and socket begin with a dot: kubelet ignores both, even if it walks the
 * registration directory at this moment. The server closes with its hidden name long gone, so that
 * it can't remove a file that is not its own.
 */
final class RegistrationSocket {
  /** Somebody answers on the socket, which is therefore not ours to remove. */
  static final class InUseException extends IOException {
    private static final long serialVersionUID = 1L;

    InUseException(Path file) {
      super(
          "another process serves "
              + file
              + ", probably an older instance of this driver that has not ended yet");
    }
  }

  /** Makes a server listen on a path. */
  interface Binding {
    void bind(Path path) throws IOException;
  }

  private static final Logger log = LoggerFactory.getLogger(PluginRegistration.class);
  private static final int LONGEST_PATH = 107;
  private static final int TYPE_MASK = 0170000;
  private static final int SOCKET = 0140000;
  private static final Duration LEFTOVER_AGE = Duration.ofMinutes(1);
  private static final String BOUND = ".s";

  private final Path directory;
  private final Path file;
  private final String hidden;

  /**
   * @throws IllegalArgumentException if the path of the socket would be too long for the kernel
   */
  RegistrationSocket(Path directory, String driverName) {
    this.directory = directory;
    this.file = directory.resolve(KubeletPaths.registrationSocketName(driverName));
    this.hidden = ".r" + KubeletPaths.volumeHandleHash(driverName).substring(0, 4);
    checkLength(file);
    checkLength(directory.resolve(hidden + "0000").resolve(BOUND));
  }

  Path file() {
    return file;
  }

  /**
   * Has a server listen there.
   *
   * @return tells this socket from any other that is put there later
   * @throws InUseException if another server answers there
   * @throws IOException if the directory is missing, a file that is not a socket lies there, or the
   *     server can't listen; the binding may have been used then
   */
  Object place(Binding binding) throws IOException {
    if (!Files.isDirectory(directory)) {
      throw new NotDirectoryException(
          directory
              + " is not a directory; kubelet's registration directory must be mounted there");
    }
    sweep();
    makeRoom();
    Path own = directory.resolve(hidden + randomDigits());
    Path bound = own.resolve(BOUND);
    Files.createDirectory(
        own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    try {
      binding.bind(bound);
      Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
      Object identity = Objects.requireNonNull(identity(bound), "the socket that was just bound");
      Files.createLink(file, bound);
      return identity;
    } catch (FileAlreadyExistsException e) {
      throw new InUseException(file);
    } finally {
      Files.deleteIfExists(bound);
      Files.deleteIfExists(own);
    }
  }

  /** Whether the socket that was placed is still the one that lies there. */
  boolean isInPlace(Object identity) {
    try {
      return identity.equals(identity(file));
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Removes the socket that was placed, if it is still the one that lies there. The server must
   * still be listening: that keeps the inode's number from being used again.
   */
  void remove(Object identity) throws IOException {
    if (identity.equals(identity(file))) {
      Files.deleteIfExists(file);
    }
  }

  /** Removes a dead socket; refuses a live one and whatever is no socket. */
  private void makeRoom() throws IOException {
    Object found = identity(file);
    if (found == null) {
      return;
    }
    if (!isSocket()) {
      throw new IOException(
          file + " is in the way and not a socket; it is not this driver's to remove");
    }
    if (answers(file)) {
      throw new InUseException(file);
    }
    remove(found);
  }

  private boolean isSocket() throws IOException {
    int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
    return (mode & TYPE_MASK) == SOCKET;
  }

  /**
   * Whether the socket must be taken for alive: only a refused connection proves that it is dead.
   * Never waits: a server whose queue is full is reported as an error at once.
   */
  private static boolean answers(Path socket) throws IOException {
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.configureBlocking(false);
      channel.connect(UnixDomainSocketAddress.of(socket));
      return true;
    } catch (ConnectException refused) {
      return false;
    } catch (SocketException unclear) {
      return true;
    }
  }

  /** Removes what a process of this driver left when it was killed while it bound its socket. */
  private void sweep() throws IOException {
    Instant limit = Instant.now().minus(LEFTOVER_AGE);
    try (DirectoryStream<Path> leftovers =
        Files.newDirectoryStream(directory, hidden + "[0-9a-f][0-9a-f][0-9a-f][0-9a-f]")) {
      for (Path leftover : leftovers) {
        try {
          sweep(leftover, limit);
        } catch (IOException e) {
          // Another instance's, which is gone again, or nobody's: no reason not to register.
          log.debug("{} stays", leftover, e);
        }
      }
    }
  }

  private static void sweep(Path leftover, Instant limit) throws IOException {
    BasicFileAttributes attributes =
        Files.readAttributes(leftover, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    if (attributes.isDirectory() && attributes.lastModifiedTime().toInstant().isBefore(limit)) {
      Files.deleteIfExists(leftover.resolve(BOUND));
      Files.deleteIfExists(leftover);
    }
  }

  private static @Nullable Object identity(Path path) throws IOException {
    try {
      return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS)
          .fileKey();
    } catch (NoSuchFileException e) {
      return null;
    }
  }

  private static String randomDigits() {
    return HexFormat.of().toHexDigits((short) ThreadLocalRandom.current().nextInt());
  }

  private static void checkLength(Path path) {
    int length = path.toString().getBytes(StandardCharsets.UTF_8).length;
    if (length > LONGEST_PATH) {
      throw new IllegalArgumentException(
          "the registration socket's path "
              + path
              + " has "
              + length
              + " bytes, but the kernel takes no more than "
              + LONGEST_PATH
              + "; use a shorter registration directory");
    }
  }
}
