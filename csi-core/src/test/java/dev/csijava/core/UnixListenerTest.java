package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The socket's file: born narrow, never taken from the living, removed only by its owner (K14). */
class UnixListenerTest {
  @TempDir private Path directory;
  private Path path;

  @BeforeEach
  void choosePath() {
    path = directory.resolve("csi.sock");
  }

  private UnixListener bind(String mode) throws IOException {
    Set<PosixFilePermission> permissions = PosixFilePermissions.fromString(mode);
    return UnixListener.bind(path, 16, new SocketAccess(permissions, null, null));
  }

  private boolean connects() {
    try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(path))) {
      return channel.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void b165TheSocketHasTheModeThatWasAskedFor() throws IOException {
    for (String mode : new String[] {"rw-------", "rw-rw----", "rw-rw-rw-", "rwx------"}) {
      try (UnixListener listener = bind(mode)) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
            .isEqualTo(mode);
        assertThat(connects()).isTrue();
        assertThat(listener.channel().isOpen()).isTrue();
      }
      assertThat(path).doesNotExist();
    }
  }

  @Test
  void nobodyEverSeesTheSocketOpenWiderThanAskedFor() throws Exception {
    Set<String> seen = new ConcurrentSkipListSet<>();
    Thread observer =
        new Thread(
            () -> {
              while (!Thread.currentThread().isInterrupted()) {
                try {
                  seen.add(
                      PosixFilePermissions.toString(
                          Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS)));
                } catch (IOException e) {
                  // not there at this moment
                }
              }
            });
    observer.start();
    try {
      for (int i = 0; i < 500; i++) {
        bind("rw-------").close();
      }
    } finally {
      observer.interrupt();
      observer.join();
    }
    assertThat(seen).isSubsetOf("rw-------");
  }

  @Test
  void aDirectoryThatIsMissingIsNamed() {
    path = directory.resolve("run/csi.sock");
    assertThatIOException()
        .isThrownBy(() -> bind("rw-------"))
        .withMessageContaining("there is no directory " + directory.resolve("run"));
  }

  @Test
  void aSocketThatCannotBeBoundIsNamed() throws IOException {
    Files.createFile(directory.resolve("file"));
    path = directory.resolve("file/csi.sock");
    assertThatIOException()
        .isThrownBy(() -> bind("rw-------"))
        .withMessageContaining(path.toString());
  }

  @Test
  @Proves("GEN-EP-005")
  void b151B153ASocketThatNobodyServesIsReplaced() throws IOException {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(path));
    }
    assertThat(Files.exists(path, LinkOption.NOFOLLOW_LINKS)).isTrue();
    assertThat(connects()).isFalse();
    try (UnixListener listener = bind("rw-------")) {
      assertThat(listener.channel().isOpen()).isTrue();
      assertThat(connects()).isTrue();
    }
  }

  /** A driver that starts while the one before it stops must not fail over that. */
  @Test
  void aSocketThatIsTakenAwayWhileItIsLookedAtIsServedByNobody() throws IOException {
    assertThat(UnixListener.isLive(path)).isFalse();
    try (UnixListener listener = bind("rw-------")) {
      assertThat(UnixListener.isLive(path)).isTrue();
      Files.delete(path);
      assertThat(UnixListener.isLive(path)).isFalse();
      assertThat(listener.channel().isOpen()).isTrue();
    }
  }

  @Test
  void b151ASocketThatSomeoneServesIsLeftAlone() throws IOException {
    try (ServerSocketChannel live = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      live.bind(UnixDomainSocketAddress.of(path), 1);
      assertThatIOException()
          .isThrownBy(() -> bind("rw-------"))
          .withMessageContaining("another process serves");
      // And with a backlog that is full, where connecting would hang or fail.
      fillBacklog();
      assertThatIOException()
          .isThrownBy(() -> bind("rw-------"))
          .withMessageContaining("another process serves");
      assertThat(live.isOpen()).isTrue();
      assertThat(Files.exists(path)).isTrue();
    }
  }

  private void fillBacklog() throws IOException {
    List<SocketChannel> waiting = new ArrayList<>();
    try {
      while (waiting.size() < 100) {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        waiting.add(channel);
        channel.configureBlocking(false);
        channel.connect(UnixDomainSocketAddress.of(path));
      }
      throw new AssertionError("the backlog never fills");
    } catch (IOException full) {
      assertThat(full).hasMessageContaining("temporarily unavailable");
    } finally {
      for (SocketChannel channel : waiting) {
        channel.close();
      }
    }
  }

  @Test
  void b151AFileOfAnyOtherKindIsLeftAlone() throws IOException {
    Files.writeString(path, "precious");
    refusedAsNoSocket();
    assertThat(path).hasContent("precious");
    Files.delete(path);

    Files.createDirectory(path);
    refusedAsNoSocket();
    assertThat(path).isDirectory();
    Files.delete(path);

    Path target = Files.writeString(directory.resolve("target"), "precious");
    Files.createSymbolicLink(path, target);
    refusedAsNoSocket();
    assertThat(path).isSymbolicLink();
    assertThat(target).hasContent("precious");
    Files.delete(path);
  }

  /** To Java these are of the same kind as a socket, and connecting to one is refused as well. */
  @Test
  void b151APipeIsLeftAlone() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    refusedAsNoSocket();
    assertThat(path).exists();
  }

  private void refusedAsNoSocket() {
    assertThatIOException()
        .isThrownBy(() -> bind("rw-------"))
        .withMessageContaining("exists and is no socket");
  }

  @Test
  void b178ClosingRemovesOnlyTheSocketThatWasMadeHere() throws IOException {
    UnixListener first = bind("rw-------");
    Files.delete(path);
    try (UnixListener second = bind("rw-------")) {
      first.close();
      assertThat(second.channel().isOpen()).isTrue();
      assertThat(connects()).as("the successor's socket").isTrue();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  @Proves("GEN-EP-006")
  void nothingElseIsMadeInTheDirectory() throws IOException {
    try (UnixListener listener = bind("rw-------")) {
      assertThat(listener.channel().isOpen()).isTrue();
      assertThat(directory).isDirectoryContaining(p -> p.equals(path));
      assertThat(directory.toFile().list()).containsExactly("csi.sock");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void theGroupCanBeSet() throws IOException {
    String group =
        Files.readAttributes(directory, java.nio.file.attribute.PosixFileAttributes.class)
            .group()
            .getName();
    SocketAccess access =
        new SocketAccess(PosixFilePermissions.fromString("rw-rw----"), null, group);
    try (UnixListener listener = UnixListener.bind(path, 16, access)) {
      assertThat(listener.channel().isOpen()).isTrue();
      assertThat(Files.getAttribute(path, "posix:group")).hasToString(group);
    }
    assertThatIOException()
        .isThrownBy(
            () ->
                UnixListener.bind(
                    path,
                    16,
                    new SocketAccess(SocketAccess.OWNER_ONLY, null, "no-such-group-anywhere")));
    assertThat(path).as("nothing is left when the group is unknown").doesNotExist();
  }
}
