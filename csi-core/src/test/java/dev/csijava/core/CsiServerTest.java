package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.util.concurrent.ListenableFuture;
import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.PluginInfo;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.ProbeRequest;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.StreamObserver;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.logging.Level;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A server's life: start, who is let in, what vendors may add, drain, and nothing left behind. */
class CsiServerTest {
  private static final GetPluginInfoRequest INFO = GetPluginInfoRequest.getDefaultInstance();

  private static CsiDriver driver() {
    return new EveryCapability().driver().build();
  }

  private static String name(ManagedChannel channel) {
    return IdentityGrpc.newBlockingStub(channel).getPluginInfo(INFO).getName();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"localhost", "/run/csi/csi.sock", "%2Frun%2Fcsi%2Fcsi.sock", "a:1", "x_y"})
  void b159ClientsAreServedWhateverAuthorityTheySend(String authority) {
    try (ServedDriver served = ServedDriver.start(driver())) {
      ManagedChannel channel = served.channel(authority);
      assertThat(name(channel)).isEqualTo("every.example.com");
    }
  }

  @Test
  void whatIsPreparedServesAndItsThreadHasEnded() {
    CsiServer.prepare();
    CsiServer.prepare();
    try (ServedDriver served = ServedDriver.start(driver())) {
      assertThat(name(served.channel())).isEqualTo("every.example.com");
      assertThat(Thread.getAllStackTraces().keySet())
          .extracting(Thread::getName)
          .doesNotContain("csi-prepare");
    }
  }

  @Test
  @Proves({"IDENT-CAPS-001", "IDENT-INFO-001", "IDENT-PROBE-001", "IDENT-PROBE-005"})
  void identityIsAnsweredFromWhatWasRegistered() {
    CsiDriver driver =
        new EveryCapability().driver().manifest(Map.of("url", "https://example.com")).build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ManagedChannel channel = served.channel();
      IdentityGrpc.IdentityBlockingStub identity = IdentityGrpc.newBlockingStub(channel);
      assertThat(identity.getPluginInfo(INFO).getVendorVersion()).isEqualTo("1.2.3");
      assertThat(identity.getPluginInfo(INFO).getManifestMap())
          .containsExactly(Map.entry("url", "https://example.com"));
      assertThat(
              identity
                  .getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance())
                  .getCapabilitiesCount())
          .isEqualTo(5);
      assertThat(Probes.awaitReady(channel)).isPositive();
    }
  }

  @Test
  @Proves({"NODE-INFO-001", "NODE-INFO-010"})
  void nodeInfoHoldsIdTopologyAndThePresentLimit() {
    AtomicLong limit = new AtomicLong();
    CsiDriver driver =
        CsiDriver.named("a.b")
            .version("1")
            .controller(c -> c.volumes(new EveryCapability()).topology())
            .node(
                n ->
                    n.id("node-7")
                        .topology(Map.of("topology.a.b/node", "node-7"))
                        .maxVolumes(limit::get)
                        .publishing(new EveryCapability()))
            .build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(served.channel());
      NodeGetInfoResponse info = node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
      assertThat(info.getNodeId()).isEqualTo("node-7");
      assertThat(info.getMaxVolumesPerNode()).isZero();
      assertThat(info.getAccessibleTopology().getSegmentsMap())
          .containsEntry("topology.a.b/node", "node-7");
      limit.set(12);
      assertThat(node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()))
          .isEqualTo(info.toBuilder().setMaxVolumesPerNode(12).build());
      limit.set(-5);
      assertThat(node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()).getMaxVolumesPerNode())
          .isZero();
    }
  }

  @Test
  @Proves("IDENT-PROBE-006")
  void b171AReadinessCheckThatHangsDoesNotHangProbe() {
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean hang = new AtomicBoolean();
    CsiDriver driver =
        new EveryCapability()
            .driver()
            .readiness(
                () -> {
                  if (hang.get()) {
                    try {
                      release.await();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  }
                  return true;
                })
            .build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ManagedChannel channel = served.channel();
      IdentityGrpc.IdentityBlockingStub identity = IdentityGrpc.newBlockingStub(channel);
      assertThat(Probes.awaitReady(channel)).isPositive();
      hang.set(true);
      for (int i = 0; i < 3; i++) {
        assertThat(
                identity
                    .withDeadlineAfter(10, TimeUnit.SECONDS)
                    .probe(ProbeRequest.getDefaultInstance())
                    .getReady()
                    .getValue())
            .as("the last answer stands")
            .isTrue();
      }
      release.countDown();
    }
  }

  @Test
  @Proves({"IDENT-PROBE-002", "IDENT-PROBE-003", "IDENT-PROBE-004"})
  void aDriverThatIsNotReadySaysSoAndAnUnhealthyOneFails() {
    AtomicBoolean healthy = new AtomicBoolean(true);
    CsiDriver driver =
        new EveryCapability()
            .driver()
            .readiness(
                () -> {
                  if (!healthy.get()) {
                    throw CsiException.failedPrecondition("mkfs.ext4 is not installed");
                  }
                  return false;
                })
            .build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ManagedChannel channel = served.channel();
      IdentityGrpc.IdentityBlockingStub identity = IdentityGrpc.newBlockingStub(channel);
      assertThat(identity.probe(ProbeRequest.getDefaultInstance()).hasReady()).isTrue();
      assertThat(identity.probe(ProbeRequest.getDefaultInstance()).getReady().getValue()).isFalse();
      healthy.set(false);
      Status status = Probes.awaitFailure(channel).getStatus();
      assertThat(status.getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
      assertThat(status.getDescription()).isEqualTo("mkfs.ext4 is not installed");
    }
  }

  @Test
  void aSecondServerOnTheSameSocketDoesNotStart() {
    try (ServedDriver served = ServedDriver.start(driver())) {
      assertThatIOException()
          .isThrownBy(
              () ->
                  CsiServer.forDriver(driver()).endpoint(CsiEndpoint.unix(served.socket())).start())
          .withMessageContaining("another process serves");
      assertThat(name(served.channel())).isEqualTo("every.example.com");
    }
  }

  @Test
  void b178AServerThatWasReplacedLeavesItsSuccessorsSocketAlone() throws Exception {
    try (ServedDriver served = ServedDriver.start(driver())) {
      Files.delete(served.socket());
      try (CsiServer successor =
          CsiServer.forDriver(driver()).endpoint(CsiEndpoint.unix(served.socket())).start()) {
        served.server().close();
        assertThat(Files.exists(served.socket())).isTrue();
        assertThat(name(served.channel())).isEqualTo("every.example.com");
        assertThat(successor.endpoint().path()).contains(served.socket());
      }
    }
  }

  @Test
  void theSocketIsTheOwnersByDefaultAndAnyonesWhenAskedFor() throws Exception {
    try (ServedDriver served = ServedDriver.start(driver())) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(served.socket())))
          .isEqualTo("rw-------");
    }
    try (ServedDriver served =
        ServedDriver.start(
            driver(),
            builder -> builder.socketMode(PosixFilePermissions.fromString("rw-rw----")))) {
      assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(served.socket())))
          .isEqualTo("rw-rw----");
    }
  }

  @Test
  void onlyListedUsersMayConnectWhenThereIsAList() throws Exception {
    String me = Files.getOwner(Path.of("/proc/self")).getName();
    try (ServedDriver served = ServedDriver.start(driver(), builder -> builder.allowPeer(me))) {
      assertThat(name(served.channel())).isEqualTo("every.example.com");
    }
    try (LogCapture log = LogCapture.at("dev.csijava", Level.INFO);
        ServedDriver served = ServedDriver.start(driver(), builder -> builder.allowPeer("54321"))) {
      assertThatThrownBy(() -> name(served.channel()))
          .isInstanceOfSatisfying(
              StatusRuntimeException.class,
              e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE));
      assertThat(log.text()).contains("of user " + me + " is refused");
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiServer.forDriver(driver()).allowPeer("no-such-user-anywhere"));
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CsiServer.forDriver(driver())
                    .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
                    .allowPeer(me)
                    .start()
                    .close())
        .withMessageContaining("allowPeer needs a Unix socket");
  }

  @Test
  void vendorsAddInterceptorsInOrderServicesAndAHookBeforeTheSocketExists() {
    List<String> order = new CopyOnWriteArrayList<>();
    AtomicBoolean socketThere = new AtomicBoolean(true);
    RegistrationGrpc.RegistrationImplBase extra =
        new RegistrationGrpc.RegistrationImplBase() {
          @Override
          public void getInfo(InfoRequest request, StreamObserver<PluginInfo> observer) {
            observer.onNext(PluginInfo.newBuilder().setName("extra").build());
            observer.onCompleted();
          }
        };
    Path[] socket = new Path[1];
    try (ServedDriver served =
        ServedDriver.start(
            driver(),
            builder -> {
              return builder
                  .interceptor(new Noting("first", order))
                  .interceptor(new Noting("second", order))
                  .service(extra)
                  .beforeServing(() -> order.add("hook"));
            })) {
      socket[0] = served.socket();
      assertThat(
              RegistrationGrpc.newBlockingStub(served.channel())
                  .getInfo(InfoRequest.getDefaultInstance())
                  .getName())
          .isEqualTo("extra");
      assertThat(order).containsExactly("hook", "first", "second");
    }
    assertThat(socketThere).isTrue();
    assertThat(socket[0]).doesNotExist();
  }

  private record Noting(String name, List<String> order) implements ServerInterceptor {
    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      order.add(name);
      return next.startCall(call, headers);
    }
  }

  @Test
  void aHookThatFailsKeepsTheServerFromStarting(@org.junit.jupiter.api.io.TempDir Path directory) {
    Path socket = directory.resolve("csi.sock");
    assertThatThrownBy(
            () ->
                CsiServer.forDriver(driver())
                    .endpoint(CsiEndpoint.unix(socket))
                    .beforeServing(
                        () -> {
                          throw new IllegalStateException("no disk");
                        })
                    .start())
        .hasMessage("no disk");
    assertThat(socket).doesNotExist();
  }

  @Test
  void b178ClosingLetsCallsUnderWayFinishAndTakesNoNewOnes() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    try (ServedDriver served = ServedDriver.start(slow(started, release))) {
      ListenableFuture<DeleteVolumeResponse> call = delete(served);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      Thread closer = new Thread(served.server()::close);
      closer.start();
      awaitGone(served.socket());
      assertThat(call.isDone()).isFalse();
      assertThatThrownBy(() -> name(served.channel())).isInstanceOf(StatusRuntimeException.class);
      release.countDown();
      assertThat(call.get(10, TimeUnit.SECONDS)).isNotNull();
      closer.join(10_000);
      assertThat(closer.isAlive()).isFalse();
    }
  }

  @Test
  void closingDoesNotWaitLongerThanTheDrainTime() throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    try (ServedDriver served =
        ServedDriver.start(
            slow(started, never), builder -> builder.drain(Duration.ofMillis(200)))) {
      ListenableFuture<DeleteVolumeResponse> call = delete(served);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      long start = System.nanoTime();
      served.server().close();
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(Duration.ofMillis(200))
          .as("less than the time that is usual")
          .isLessThan(Duration.ofSeconds(20));
      assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
          .isInstanceOf(ExecutionException.class);
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CsiServer.forDriver(driver()).drain(Duration.ofMillis(-1)));
  }

  @Test
  void closingWaitsForWorkWhoseCallerHasGoneAway() throws Exception {
    assertClosingWaitsFor(CsiServerTest::delete);
  }

  @Test
  void closingWaitsForACopyWhoseCallerHasGoneAway() throws Exception {
    assertClosingWaitsFor(
        served ->
            ControllerGrpc.newFutureStub(served.channel())
                .createVolume(ValidRequests.create().build()));
  }

  private static void assertClosingWaitsFor(Function<ServedDriver, ListenableFuture<?>> begin)
      throws Exception {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch release = new CountDownLatch(1);
    AtomicBoolean finished = new AtomicBoolean();
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
            work();
            return super.deleteVolume(request, call);
          }

          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            work();
            return super.createVolume(request, call);
          }

          private void work() {
            started.countDown();
            try {
              release.await();
              finished.set(true);
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ListenableFuture<?> call = begin.apply(served);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(call.cancel(true)).isTrue();
      Thread closer = new Thread(served.server()::close);
      closer.start();
      awaitGone(served.socket());
      // Long enough for a server that does not wait to cut the work off.
      closer.join(500);
      assertThat(closer.isAlive()).isTrue();
      release.countDown();
      closer.join(10_000);
      assertThat(closer.isAlive()).isFalse();
      assertThat(finished).as("finished, not interrupted").isTrue();
    }
  }

  @Test
  @Timeout(60)
  void aDrainTimeWithoutEndIsNoFault() {
    try (ServedDriver served =
        ServedDriver.start(
            driver(), builder -> builder.drain(Duration.ofSeconds(Long.MAX_VALUE)))) {
      served.server().close();
      assertThat(served.socket()).doesNotExist();
    }
  }

  /** Whoever starts and closes servers all day must not run out of memory. */
  @Test
  @Timeout(60)
  void aServerThatWasClosedIsNotKeptUntilTheProcessEnds() throws Exception {
    WeakReference<CsiDriver> driver = closedOnExit();
    while (driver.get() != null) {
      System.gc();
      Thread.sleep(10);
    }
  }

  private static WeakReference<CsiDriver> closedOnExit() {
    CsiDriver driver = driver();
    try (ServedDriver served = ServedDriver.start(driver, CsiServer.Builder::closeOnExit)) {
      assertThat(served.socket()).exists();
    }
    return new WeakReference<>(driver);
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static CsiDriver slow(CountDownLatch started, CountDownLatch release) {
    return new EveryCapability() {
      @Override
      public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
        started.countDown();
        await(release);
        return super.deleteVolume(request, call);
      }
    }.driver().build();
  }

  private static ListenableFuture<DeleteVolumeResponse> delete(ServedDriver served) {
    return ControllerGrpc.newFutureStub(served.channel())
        .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("vol-1").build());
  }

  private static void awaitGone(Path socket) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (Files.exists(socket)) {
      if (System.nanoTime() > deadline) {
        throw new TimeoutException("the socket stays");
      }
      Thread.sleep(5);
    }
  }

  @Test
  void tcpOnTheLoopbackInterfaceServesToo() throws Exception {
    try (CsiServer server =
        CsiServer.forDriver(driver()).endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0")).start()) {
      ManagedChannel channel =
          NettyChannelBuilder.forAddress((InetSocketAddress) server.endpoint().address())
              .usePlaintext()
              .build();
      try {
        assertThat(name(channel)).isEqualTo("every.example.com");
      } finally {
        channel.shutdownNow().awaitTermination(10, TimeUnit.SECONDS);
      }
    }
  }

  @Test
  void aClosedServerLeavesNoThreadAndNoWarning() throws Exception {
    try (LogCapture log = LogCapture.at("", Level.INFO)) {
      for (int i = 0; i < 3; i++) {
        try (ServedDriver served = ServedDriver.start(driver())) {
          assertThat(name(served.channel())).isEqualTo("every.example.com");
        }
      }
      assertThat(log.records().stream().filter(r -> r.getLevel().intValue() > 800)).isEmpty();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (!ownThreads().isEmpty() && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(ownThreads()).isEmpty();
  }

  private static Set<String> ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("csi-"))
        .collect(Collectors.toSet());
  }
}
