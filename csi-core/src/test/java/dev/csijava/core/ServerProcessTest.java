package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchEvent;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** CsiServer.serve as the whole of a process: what the environment and signals do to it. */
@Timeout(180)
class ServerProcessTest {
  private static final int ENDED_BY_SIGTERM = 128 + 15;

  @TempDir private Path directory;
  private Path socketDirectory;
  private Path socket;
  private Path output;
  private EventLoopGroup loop;

  @BeforeEach
  void choosePaths() throws IOException {
    socketDirectory = Files.createDirectory(directory.resolve("csi"));
    socket = socketDirectory.resolve("csi.sock");
    output = directory.resolve("output");
    loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  }

  @AfterEach
  void stopClients() {
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  private ServedProcess serve() throws IOException {
    return ServedProcess.start(Map.of("CSI_ENDPOINT", "unix://" + socket), output);
  }

  private void assertServes() throws InterruptedException {
    ManagedChannel channel =
        NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
            .channelType(NioDomainSocketChannel.class)
            .eventLoopGroup(loop)
            .withOption(ChannelOption.SO_KEEPALIVE, null)
            .overrideAuthority("localhost")
            .usePlaintext()
            .build();
    try {
      IdentityGrpc.IdentityBlockingStub identity =
          IdentityGrpc.newBlockingStub(channel)
              .withWaitForReady()
              .withDeadlineAfter(60, TimeUnit.SECONDS);
      for (int i = 0; i < 3; i++) {
        assertThat(identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance()).getName())
            .isEqualTo("every.example.com");
      }
    } finally {
      channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
    }
  }

  @Test
  @Proves({"GEN-EP-001", "GEN-EP-002", "GEN-EP-006", "GEN-OP-001"})
  void aProcessServesWhereItsEnvironmentSaysUntilItIsToldToStop() throws Exception {
    try (WatchService watcher = directory.getFileSystem().newWatchService()) {
      socketDirectory.register(watcher, StandardWatchEventKinds.ENTRY_CREATE);
      try (ServedProcess process = serve()) {
        assertServes();
        assertServes();
        assertThat(process.runs()).isTrue();
        process.terminate();
        assertThat(process.exitCode()).as(process.printed()).isEqualTo(ENDED_BY_SIGTERM);
      }
      assertThat(namesSeenBy(watcher))
          .as("files made beside the socket")
          .containsExactly("csi.sock");
    }
    assertThat(socketDirectory).isEmptyDirectory();
  }

  /** Its hook is there before its socket is, or the socket would stay. */
  @Test
  @Proves("GEN-OP-001")
  void aProcessThatIsToldToStopAsSoonAsItsSocketIsThereTakesItAway() throws Exception {
    try (ServedProcess process = serve()) {
      while (process.runs() && !Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
        Thread.onSpinWait();
      }
      process.terminate();
      assertThat(process.exitCode()).as(process.printed()).isEqualTo(ENDED_BY_SIGTERM);
    }
    assertThat(socketDirectory).isEmptyDirectory();
  }

  /** The end of a process waits for its hooks, so none of them may wait for who ends it. */
  @Test
  void aProcessCanEndItselfBeforeItServes() throws Exception {
    try (ServedProcess process =
        ServedProcess.start(
            Map.of("CSI_ENDPOINT", "unix://" + socket, ServedProcess.ENDS_BEFORE_SERVING, "3"),
            output)) {
      assertThat(process.exitCode()).as(process.printed()).isEqualTo(3);
    }
    assertThat(socketDirectory).isEmptyDirectory();
  }

  /** The watcher's thread may lag behind, so a last file is made and waited for. */
  private Set<String> namesSeenBy(WatchService watcher) throws Exception {
    String last = "last";
    Files.delete(Files.createFile(socketDirectory.resolve(last)));
    Set<String> names = new TreeSet<>();
    while (!names.contains(last)) {
      WatchKey key = watcher.take();
      for (WatchEvent<?> event : key.pollEvents()) {
        names.add(String.valueOf(event.context()));
      }
      key.reset();
    }
    names.remove(last);
    return names;
  }

  @Test
  @Proves("GEN-EP-005")
  void aProcessTakesThePlaceOfOneThatWasKilled() throws Exception {
    try (ServedProcess killed = serve()) {
      assertServes();
      killed.kill();
      assertThat(killed.exitCode()).isNotZero();
    }
    assertThat(Files.exists(socket, LinkOption.NOFOLLOW_LINKS)).as("what it left").isTrue();
    try (ServedProcess successor = serve()) {
      assertServes();
      assertThat(successor.runs()).isTrue();
      assertThat(successor.printed()).contains("which nobody serves");
    }
  }

  @Test
  @Proves({"GEN-EP-007", "GEN-OP-003"})
  void aProcessWithoutAUsableEndpointEndsWithAReason() throws Exception {
    Path missing = directory.resolve("missing").resolve("csi.sock");
    try (ServedProcess untold = ServedProcess.start(Map.of(), output);
        ServedProcess misled =
            ServedProcess.start(
                Map.of("CSI_ENDPOINT", "unix://" + missing), directory.resolve("misled"))) {
      assertFails(untold, "CSI_ENDPOINT is not set");
      assertFails(misled, "Exception");
    }
  }

  private static void assertFails(ServedProcess process, String sentence) throws Exception {
    assertThat(process.exitCode()).isEqualTo(1);
    assertThat(process.printed()).contains(sentence);
  }
}
