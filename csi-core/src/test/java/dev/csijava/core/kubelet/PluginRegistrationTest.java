package dev.csijava.core.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.kubelet.PluginRegistration.State;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.registration.RegistrationStatusResponse;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class PluginRegistrationTest {
  private static final String DRIVER = "hostpath.csi.k8s.io";
  private static final Path ENDPOINT = Path.of("/var/lib/kubelet/plugins/csi-hostpath/csi.sock");
  private static final byte[] WORKED_EXAMPLE =
      HexFormat.of()
          .parseHex(
              "0a09435349506c7567696e1213686f7374706174682e6373692e6b38732e696f"
                  + "1a2e2f7661722f6c69622f6b7562656c65742f706c7567696e732f6373692d686f7374706174682f"
                  + "6373692e736f636b2205312e302e30");

  private final Path directory;
  private final Path socket;
  private final FakeKubelet kubelet;
  private final PluginRegistration registration;
  private final RegistrationLoop.Pace pace =
      new RegistrationLoop.Pace(
          Duration.ofMillis(50), Duration.ofMillis(20), Duration.ofMillis(100));

  PluginRegistrationTest(@TempDir Path directory) throws IOException {
    this.directory = directory;
    this.socket = directory.resolve("hostpath.csi.k8s.io-reg.sock");
    this.registration = PluginRegistration.of(DRIVER, ENDPOINT, directory, pace);
    this.kubelet = new FakeKubelet(directory);
  }

  @AfterEach
  void leaveNothing() throws Exception {
    registration.close();
    kubelet.close();
    assertNoThreadIsLeft();
  }

  @Test
  void kubeletFindsAsksAndRegistersTheDriver() throws Exception {
    assertThat(registration.state()).isEqualTo(State.STOPPED);
    assertThat(registration.start()).isSameAs(registration);

    assertThat(kubelet.awaitCreated()).isEqualTo(socket);
    assertThat(registration.state()).isEqualTo(State.WAITING);
    assertThat(kubelet.getInfo(socket)).hasSize(87).isEqualTo(WORKED_EXAMPLE);
    kubelet.accept(socket);

    awaitState(State.REGISTERED);
    assertThat(registration.problem()).isEmpty();
    assertThat(filesLeft()).containsExactly(socket);
  }

  @Test
  void anyAuthorityIsServed() throws Exception {
    registration.start();

    for (String authority : List.of("localhost", "registration", "127.0.0.1:80", "%2Frun%2Fa")) {
      assertThat(kubelet.getInfo(socket, authority)).isEqualTo(WORKED_EXAMPLE);
    }
  }

  @Test
  void socketIsForItsOwnerOnly() throws Exception {
    registration.start();

    assertThat(Files.getPosixFilePermissions(socket))
        .isEqualTo(PosixFilePermissions.fromString("rw-------"));
  }

  @Test
  void socketIsBoundWhereNobodyElseCanReachIt() throws Exception {
    List<String> seen = new ArrayList<>();
    RegistrationSocket own = new RegistrationSocket(directory, DRIVER);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      own.place(
          path -> {
            server.bind(UnixDomainSocketAddress.of(path));
            Path parent = path.resolveSibling(".");
            seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(parent)));
            seen.add(directory.relativize(path).toString());
            assertThat(socket).doesNotExist();
          });
    }

    assertThat(seen.get(0)).isEqualTo("rwx------");
    assertThat(seen.get(1)).matches("\\.[^/]+/\\.[^/]+");
    assertThat(filesLeft()).containsExactly(socket);
  }

  @Test
  void whatAppearsWhileTheSocketIsMadeIsNotReplaced() throws Exception {
    RegistrationSocket own = new RegistrationSocket(directory, DRIVER);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      assertThatThrownBy(
              () ->
                  own.place(
                      path -> {
                        server.bind(UnixDomainSocketAddress.of(path));
                        Files.writeString(socket, "precious");
                      }))
          .isInstanceOf(RegistrationSocket.InUseException.class);
    }

    assertThat(socket).hasContent("precious");
    assertThat(filesLeft()).containsExactly(socket);
  }

  @Test
  void b154DeadSocketIsReplaced() throws Exception {
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(socket));
    }
    assertThat(socket).exists();

    registration.start();

    assertThat(kubelet.getInfo(socket)).isEqualTo(WORKED_EXAMPLE);
  }

  @Test
  void fileThatIsNoSocketIsLeftAlone() throws Exception {
    Files.writeString(socket, "precious");

    assertThatThrownBy(registration::start)
        .isInstanceOf(IOException.class)
        .hasMessage(socket + " is in the way and not a socket; it is not this driver's to remove");
    assertThat(socket).hasContent("precious");
    assertThat(registration.state()).isEqualTo(State.STOPPED);

    Files.delete(socket);
    registration.start();
    assertThat(kubelet.getInfo(socket)).isEqualTo(WORKED_EXAMPLE);
  }

  @Test
  void linkToASocketIsLeftAlone() throws Exception {
    Path target = directory.resolve("other.sock");
    try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      dead.bind(UnixDomainSocketAddress.of(target));
    }
    Files.createSymbolicLink(socket, target);

    assertThatThrownBy(registration::start).isInstanceOf(IOException.class);

    assertThat(socket).isSymbolicLink();
    assertThat(target).exists();
  }

  @Test
  void livingSocketIsWaitedForAndNeverRemoved() throws Exception {
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket));
      Object inode = inodeOf(socket);

      registration.start();
      Thread.sleep(300);

      assertThat(inodeOf(socket)).isEqualTo(inode);
      assertThat(registration.state()).isEqualTo(State.WAITING);
      assertThat(registration.problem().orElseThrow()).startsWith("another process serves ");
    }
    awaitAnswer();
    assertThat(registration.problem()).isEmpty();
  }

  @Test
  void livingSocketWithAFullQueueIsNotTakenForDead() throws Exception {
    List<SocketChannel> callers = new ArrayList<>();
    try (ServerSocketChannel other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      other.bind(UnixDomainSocketAddress.of(socket), 1);
      fillTheQueue(callers);
      Object inode = inodeOf(socket);

      registration.start();

      assertThat(inodeOf(socket)).isEqualTo(inode);
      registration.close();
      assertThat(inodeOf(socket)).isEqualTo(inode);
    } finally {
      for (SocketChannel caller : callers) {
        caller.close();
      }
    }
  }

  @Test
  void refusalIsAnsweredWithANewSocketUntilKubeletAgrees() throws Exception {
    registration.start();
    for (int i = 0; i < 3; i++) {
      assertThat(kubelet.awaitCreated()).isEqualTo(socket);
      kubelet.refuse(socket, "another one is registered");
    }
    assertThat(kubelet.awaitCreated()).isEqualTo(socket);
    kubelet.accept(socket);

    awaitState(State.REGISTERED);
    assertThat(kubelet.countCreatedDuring(Duration.ofMillis(300))).isZero();
  }

  /** What is done about a refusal ends the connection that the answer goes over. */
  @Test
  void kubeletHasItsAnswerBeforeAnythingIsDoneAboutWhatItSaid() {
    List<String> order = new ArrayList<>();
    RegistrationService service =
        new RegistrationService(PluginInfo.getDefaultInstance(), status -> order.add("done"));

    service.notifyRegistrationStatus(
        RegistrationStatus.getDefaultInstance(),
        new StreamObserver<>() {
          @Override
          public void onNext(RegistrationStatusResponse response) {}

          @Override
          public void onError(Throwable failure) {}

          @Override
          public void onCompleted() {
            order.add("answered");
          }
        });

    assertThat(order).containsExactly("answered", "done");
  }

  @Test
  void refusalIsShownWithKubeletsWords() throws Exception {
    Duration hour = Duration.ofHours(1);
    RegistrationLoop.Pace slow = new RegistrationLoop.Pace(hour, hour, hour);
    try (PluginRegistration patient =
        PluginRegistration.of(DRIVER, ENDPOINT, directory, slow).start()) {
      kubelet.refuse(socket, "another one is registered");
      await(() -> patient.state() == State.REFUSED);
      assertThat(patient.problem()).contains("another one is registered");

      kubelet.accept(socket);
      await(() -> patient.state() == State.REGISTERED);
      assertThat(patient.problem()).isEmpty();
    }
  }

  @Test
  void removedSocketIsMadeAnew() throws Exception {
    registration.start();
    kubelet.accept(socket);
    awaitState(State.REGISTERED);

    Files.delete(socket);

    awaitAnswer();
    awaitState(State.WAITING);
  }

  @Test
  void closeTakesTheRegistrationBack() throws Exception {
    registration.start();
    kubelet.awaitCreated();

    registration.close();
    registration.close();

    assertThat(kubelet.awaitDeleted()).isEqualTo(socket);
    assertThat(filesLeft()).isEmpty();
    assertThat(registration.state()).isEqualTo(State.STOPPED);
    assertNoThreadIsLeft();
  }

  @Test
  void interruptedThreadStillTakesTheRegistrationBack() throws Exception {
    registration.start();

    Thread.currentThread().interrupt();
    registration.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(filesLeft()).isEmpty();
  }

  @Test
  void closeLeavesTheSocketOfASuccessor() throws Exception {
    PluginRegistration slow = PluginRegistration.of(DRIVER, ENDPOINT, directory).start();
    try (ServerSocketChannel successor = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      Files.delete(socket);
      successor.bind(UnixDomainSocketAddress.of(socket));
      Object inode = inodeOf(socket);

      slow.close();

      assertThat(inodeOf(socket)).isEqualTo(inode);
    }
  }

  @Test
  void whatAKilledProcessLeftIsSwept() throws Exception {
    String hidden = ".r" + KubeletPaths.volumeHandleHash(DRIVER).substring(0, 4);
    Path old = Files.createDirectory(directory.resolve(hidden + "0a1b"));
    Files.createFile(old.resolve(".s"));
    Files.setLastModifiedTime(old, FileTime.from(Instant.now().minusSeconds(120)));
    Path fresh = Files.createDirectory(directory.resolve(hidden + "0a1c"));
    Path foreign = Files.createDirectory(directory.resolve(".rzzzz0a1b"));
    Files.setLastModifiedTime(foreign, FileTime.from(Instant.now().minusSeconds(120)));
    Path full = Files.createDirectory(directory.resolve(hidden + "0a1d"));
    Files.createFile(full.resolve("nobody's"));
    Files.setLastModifiedTime(full, FileTime.from(Instant.now().minusSeconds(120)));

    registration.start();

    assertThat(filesLeft()).containsExactlyInAnyOrder(socket, fresh, foreign, full);
  }

  @Test
  void startedTwiceIsAMistake() throws Exception {
    registration.start();
    assertThatIllegalStateException().isThrownBy(registration::start);

    registration.close();
    registration.start();
    assertThat(kubelet.getInfo(socket)).isEqualTo(WORKED_EXAMPLE);
  }

  @Test
  void missingDirectoryIsNamed() {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> PluginRegistration.of(DRIVER, ENDPOINT, missing).start())
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(missing + " is not a directory");
  }

  @Test
  void whatCanNeverWorkIsRefusedAtOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PluginRegistration.of("a/b", ENDPOINT, directory))
        .withMessage("the driver's name contains a \"/\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PluginRegistration.of(DRIVER, Path.of("csi.sock"), directory))
        .withMessageStartingWith("the endpoint must be an absolute path of the host");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PluginRegistration.of(DRIVER, ENDPOINT, Path.of("/" + "d".repeat(78))))
        .withMessageContaining("has 108 bytes, but the kernel takes no more than 107");
    assertThat(PluginRegistration.of(DRIVER, ENDPOINT, Path.of("/" + "d".repeat(77)))).isNotNull();
    assertThat(
            PluginRegistration.of(
                "a".repeat(63), ENDPOINT, Path.of("/var/lib/kubelet/plugins_registry")))
        .isNotNull();
  }

  @Test
  void pausesDoubleUpToABound() {
    RegistrationLoop.Pace usual = RegistrationLoop.Pace.DEFAULT;

    assertThat(Stream.of(1, 2, 3, 5, 6, 1_000_000).map(usual::retry).map(Duration::toSeconds))
        .containsExactly(1L, 2L, 4L, 16L, 30L, 30L);
  }

  private void fillTheQueue(List<SocketChannel> callers) throws IOException {
    boolean full = false;
    while (!full) {
      SocketChannel caller = SocketChannel.open(StandardProtocolFamily.UNIX);
      callers.add(caller);
      caller.configureBlocking(false);
      try {
        full = !caller.connect(UnixDomainSocketAddress.of(socket));
      } catch (SocketException unavailable) {
        full = true;
      }
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition condition) throws Exception {
    for (int i = 0; i < 1000; i++) {
      if (condition.holds()) {
        return;
      }
      Thread.sleep(10);
    }
    throw new AssertionError("it did not happen within ten seconds");
  }

  private void awaitState(State state) throws Exception {
    await(() -> registration.state() == state);
  }

  private void awaitAnswer() throws Exception {
    await(
        () -> {
          try (SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket))) {
            return channel.isConnected();
          } catch (IOException e) {
            return false;
          }
        });
    assertThat(kubelet.getInfo(socket)).isEqualTo(WORKED_EXAMPLE);
  }

  private static Object inodeOf(Path path) throws IOException {
    return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
  }

  private List<Path> filesLeft() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static void assertNoThreadIsLeft() throws Exception {
    await(
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("csi-registration")));
  }
}
