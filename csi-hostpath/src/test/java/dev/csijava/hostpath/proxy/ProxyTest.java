package dev.csijava.hostpath.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiEndpoint;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProxyTest {
  private static final CsiEndpoint ANY_PORT = CsiEndpoint.parse("tcp://127.0.0.1:0");

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
    try (Proxy proxy = Proxy.start(CsiEndpoint.unix(callers), ANY_PORT);
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
    try (Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT)) {
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
    Proxy proxy = Proxy.start(ANY_PORT, ANY_PORT);
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
    try (Proxy first = Proxy.start(CsiEndpoint.unix(path), ANY_PORT)) {
      assertThat(first.secondPort()).isPositive();
      assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(path), ANY_PORT))
          .isInstanceOf(IOException.class);
    }
    Path file = Files.writeString(directory.resolve("file"), "mine");
    assertThatThrownBy(() -> Proxy.start(CsiEndpoint.unix(file), ANY_PORT))
        .isInstanceOf(IOException.class);
    assertThat(file).hasContent("mine");
  }
}
