package dev.csijava.hostpath.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.hostpath.testing.Programs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTest {
  private static final CsiEndpoint ANY_PORT = CsiEndpoint.parse("tcp://127.0.0.1:0");
  private static final Access OWNER =
      new Access(PosixFilePermissions.fromString("rw-------"), Optional.empty());

  private static void say(SocketChannel channel, String words) throws IOException {
    channel.write(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)));
  }

  private static String hear(SocketChannel channel, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.allocate(length);
    while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
      // Until all of it has come.
    }
    return new String(buffer.array(), 0, buffer.position(), StandardCharsets.UTF_8);
  }

  private static SocketChannel connect(Path path) throws IOException {
    return SocketChannel.open(UnixDomainSocketAddress.of(path));
  }

  @Test
  void whatEachSideSaysTheOtherHearsAndAnEndIsTheOthersEnd(@TempDir Path directory)
      throws Exception {
    Path callers = directory.resolve("csi.sock");
    try (Proxy proxy = Proxy.start(CsiEndpoint.unix(callers), ANY_PORT, OWNER);
        SocketChannel caller = connect(callers);
        SocketChannel driver =
            SocketChannel.open(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), proxy.secondPort()))) {
      assertThat(Files.getPosixFilePermissions(callers)).hasSize(2);
      say(caller, "question");
      assertThat(hear(driver, 8)).isEqualTo("question");
      say(driver, "answer");
      assertThat(hear(caller, 6)).isEqualTo("answer");
      caller.shutdownOutput();
      assertThat(hear(driver, 1)).isEmpty();
      say(driver, "late");
      assertThat(hear(caller, 4)).as("the other way is still open").isEqualTo("late");
    }
    assertThat(callers).doesNotExist();
  }

  @Test
  void severalConnectionsAreKeptApart() throws Exception {
    try (Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT, OWNER)) {
      for (int i = 0; i < 3; i++) {
        try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.firstPort());
            Socket driver = new Socket(InetAddress.getLoopbackAddress(), proxy.secondPort())) {
          caller.getOutputStream().write(i);
          assertThat(driver.getInputStream().read()).isEqualTo(i);
        }
      }
    }
  }

  @Test
  void closingCutsConnectionsOffAndEnds() throws Exception {
    Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT, OWNER);
    try (Socket caller = new Socket(InetAddress.getLoopbackAddress(), proxy.firstPort());
        Socket driver = new Socket(InetAddress.getLoopbackAddress(), proxy.secondPort())) {
      caller.getOutputStream().write(1);
      assertThat(driver.getInputStream().read()).isOne();

      proxy.close();
      proxy.awaitClosed();

      assertThat(caller.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void aDeadSocketIsReplacedAndALiveOneOrAFileIsNot(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("csi.sock");
    ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    dead.bind(UnixDomainSocketAddress.of(path));
    dead.close();
    try (Proxy first = Proxy.start(CsiEndpoint.unix(path), ANY_PORT, OWNER)) {
      assertThat(first.secondPort()).isPositive();
      assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(path), ANY_PORT, OWNER))
          .isInstanceOf(IOException.class);
    }
    Path file = Files.writeString(directory.resolve("file"), "mine");
    assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(file), ANY_PORT, OWNER))
        .isInstanceOf(IOException.class);
    assertThat(file).hasContent("mine");
  }

  @Test
  @DisplayName("K14: a pipe refuses connections as a dead socket does, and is left alone")
  void aPipeIsNoDeadSocket(@TempDir Path directory) throws Exception {
    Path pipe = directory.resolve("pipe");
    Programs.run("mkfifo", pipe.toString());

    assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(pipe), ANY_PORT, OWNER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(pipe.toString())
        .hasMessageContaining("no socket");
    assertThat(pipe).exists();
  }

  @Test
  @DisplayName("K14: the sockets have the mode and the group that were asked for")
  void theSocketsHaveTheModeAndTheGroupThatWereAskedFor(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("csi.sock");
    Set<PosixFilePermission> mode = PosixFilePermissions.fromString("rw-rw----");
    String group = Files.getAttribute(directory, "unix:gid").toString();

    try (Proxy proxy =
        Proxy.start(CsiEndpoint.unix(path), ANY_PORT, new Access(mode, Optional.of(group)))) {
      assertThat(proxy.secondPort()).isPositive();
      assertThat(Files.getPosixFilePermissions(path)).isEqualTo(mode);
      try (SocketChannel caller = connect(path)) {
        assertThat(caller.isConnected()).isTrue();
      }
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).containsExactly(path);
      }
    }
    Access nobody = new Access(mode, Optional.of("nobodys"));
    assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(path), ANY_PORT, nobody))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no such user or group");
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void anEndpointThatCantBeHadIsNamed(@TempDir Path directory) throws Exception {
    Path path = directory.resolve("missing/csi.sock");
    assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(path), ANY_PORT, OWNER))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no directory " + path.getParent());
    try (Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT, OWNER)) {
      String taken = "tcp://127.0.0.1:" + proxy.firstPort();
      assertThatThrownBy(() -> Proxy.start(CsiEndpoint.parse(taken), ANY_PORT, OWNER))
          .isInstanceOf(IOException.class)
          .hasMessageContaining(taken);
    }
  }

  @Test
  void anEndThatNobodyAskedForIsTold() throws Exception {
    Set<Thread> before = Thread.getAllStackTraces().keySet();
    try (Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT, OWNER)) {
      Thread.getAllStackTraces().keySet().stream()
          .filter(thread -> thread.getName().equals("csi-proxy") && !before.contains(thread))
          .forEach(Thread::interrupt);
      assertThat(proxy.awaitClosed()).isFalse();
    }
    Proxy closed = Proxy.start(ANY_PORT, ANY_PORT, OWNER);
    closed.close();
    assertThat(closed.awaitClosed()).isTrue();
  }
}
