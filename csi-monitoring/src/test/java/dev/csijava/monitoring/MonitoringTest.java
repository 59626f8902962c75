package dev.csijava.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.core.kubelet.PluginRegistration;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.spec.registration.InfoRequest;
import dev.csijava.spec.registration.RegistrationGrpc;
import dev.csijava.spec.registration.RegistrationStatus;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The pages, over real HTTP and a real socket. */
@Timeout(60)
class MonitoringTest {
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicReference<Boolean> ready = new AtomicReference<>(true);
  private Path directory = Path.of("");

  /** Short: a socket's path may have 107 bytes only. */
  @BeforeEach
  void makeDirectory() throws IOException {
    directory = Files.createTempDirectory("csi-mon");
  }

  @AfterEach
  void removeDirectory() throws IOException {
    Files.deleteIfExists(socket());
    Files.delete(directory);
  }

  private Path socket() {
    return directory.resolve("csi.sock");
  }

  private static final class Nothing implements Publishing {
    @Override
    public NodePublishVolumeResponse nodePublishVolume(
        NodePublishVolumeRequest request, CallContext call) {
      return NodePublishVolumeResponse.getDefaultInstance();
    }

    @Override
    public NodeUnpublishVolumeResponse nodeUnpublishVolume(
        NodeUnpublishVolumeRequest request, CallContext call) {
      return NodeUnpublishVolumeResponse.getDefaultInstance();
    }
  }

  private CsiDriver driver() {
    return CsiDriver.named("memo.example.com")
        .version("1")
        .readiness(ready::get)
        .node(n -> n.id("node-1").publishing(new Nothing()))
        .build();
  }

  private CsiServer serve() throws IOException {
    return CsiServer.forDriver(driver()).endpoint(CsiEndpoint.unix(socket())).start();
  }

  private static Monitoring.Builder pages(CsiServer server) {
    return Monitoring.forServer(server)
        .address(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private HttpResponse<String> get(Monitoring pages, String path) throws Exception {
    return send(pages, path, "GET");
  }

  /** What a page says of a driver that is well: on a machine that stalls not at once. */
  private HttpResponse<String> awaitOk(Monitoring pages, String path) throws Exception {
    return await(pages, path, answer -> answer.statusCode() == 200);
  }

  /** The first answer that is as wished, or the last one after a minute. */
  private HttpResponse<String> await(
      Monitoring pages, String path, Predicate<HttpResponse<String>> wished) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    HttpResponse<String> answer = get(pages, path);
    while (!wished.test(answer) && System.nanoTime() < deadline) {
      Thread.sleep(10);
      answer = get(pages, path);
    }
    return answer;
  }

  private HttpResponse<String> send(Monitoring pages, String path, String method) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + pages.address().getPort() + path);
    return client.send(
        HttpRequest.newBuilder(uri).method(method, HttpRequest.BodyPublishers.noBody()).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aDriverThatAnswersIsHealthyAndReady() throws Exception {
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      assertThat(awaitOk(pages, "/healthz").body()).isEqualTo("ok\n");
      assertThat(awaitOk(pages, "/readyz").statusCode()).isEqualTo(200);
      while (send(pages, "/healthz", "HEAD").statusCode() != 200) {
        Thread.sleep(10);
      }
      assertThat(send(pages, "/healthz", "POST").statusCode()).isEqualTo(405);
      assertThat(get(pages, "/healthz/more").statusCode()).isEqualTo(404);
      assertThat(get(pages, "/").statusCode()).isEqualTo(404);
      assertThat(get(pages, "/metrics").statusCode()).as("not asked for").isEqualTo(404);
    }
  }

  /** Kubelet would kill a driver whose page hangs, and anybody in the cluster can connect to it. */
  @Test
  void callersThatNeverFinishTheirRequestHoldUpNobodyAndAreCutOff() throws Exception {
    List<SocketChannel> idle = new ArrayList<>();
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      try {
        for (int i = 0; i < 8; i++) {
          SocketChannel channel = SocketChannel.open(pages.address());
          idle.add(channel);
          channel.write(ByteBuffer.wrap("GET /hea".getBytes(StandardCharsets.US_ASCII)));
        }
        assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
        for (SocketChannel channel : idle) {
          assertThat(channel.read(ByteBuffer.allocate(1)))
              .as("end of the connection")
              .isEqualTo(-1);
        }
      } finally {
        for (SocketChannel channel : idle) {
          channel.close();
        }
      }
    }
  }

  /** Servers in Go and Rust reset a stream whose authority is the path of the socket. */
  @Test
  void b157TheProbeSendsLocalhostAsItsAuthority() throws Exception {
    List<String> authorities = new CopyOnWriteArrayList<>();
    ServerInterceptor observer =
        new ServerInterceptor() {
          @Override
          public <Q, R> ServerCall.Listener<Q> interceptCall(
              ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
            authorities.add(String.valueOf(call.getAuthority()));
            return next.startCall(call, headers);
          }
        };
    try (CsiServer server =
            CsiServer.forDriver(driver())
                .endpoint(CsiEndpoint.unix(socket()))
                .interceptor(observer)
                .start();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
    }
    assertThat(authorities).containsOnly("localhost");
  }

  @Test
  void aDriverThatIsNotReadyIsAliveButNotReady() throws Exception {
    ready.set(false);
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> readiness =
          await(pages, "/readyz", answer -> answer.body().contains("not ready yet"));
      assertThat(readiness.statusCode()).isEqualTo(503);
      assertThat(readiness.body()).contains("not ready yet");
    }
  }

  @Test
  void aDeletedSocketIsUnhealthy() throws Exception {
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      Files.delete(socket());
      HttpResponse<String> health =
          await(pages, "/healthz", answer -> answer.body().contains("UNAVAILABLE"));
      assertThat(health.statusCode()).isEqualTo(503);
      assertThat(health.body()).contains("UNAVAILABLE").contains(socket().toString());
      assertThat(get(pages, "/readyz").statusCode()).isEqualTo(503);
    }
  }

  @Test
  void aSocketThatNobodyServesAnyMoreIsUnhealthy() throws Exception {
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      Runnable stop = server::close;
      stop.run();
      assertThat(get(pages, "/healthz").statusCode()).isEqualTo(503);
    }
  }

  @Test
  void aProbeThatHangsIsUnhealthyInBoundedTime() throws Exception {
    try (CsiServer server = serve();
        Monitoring pages = pages(server).probeAtMost(Duration.ofMillis(500)).start()) {
      Files.delete(socket());
      // Somebody who takes connections and says nothing.
      try (ServerSocketChannel deaf = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        deaf.bind(UnixDomainSocketAddress.of(socket()));
        long start = System.nanoTime();
        HttpResponse<String> health = get(pages, "/healthz");
        assertThat(Duration.ofNanos(System.nanoTime() - start))
            .isBetween(Duration.ofMillis(400), Duration.ofSeconds(60));
        assertThat(health.statusCode()).isEqualTo(503);
        assertThat(health.body()).contains("DEADLINE_EXCEEDED");
      }
    }
  }

  @Test
  void aTcpEndpointIsProbedToo() throws Exception {
    try (CsiServer server =
            CsiServer.forDriver(driver()).endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0")).start();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").body()).isEqualTo("ok\n");
    }
  }

  @Test
  void readinessWaitsForKubeletsRegistration() throws Exception {
    Path registry = Files.createDirectory(directory.resolve("r"));
    try (CsiServer server = serve();
        PluginRegistration registration =
            PluginRegistration.of("memo.example.com", socket(), registry).start();
        Monitoring pages = pages(server).registration(registration).start()) {
      HttpResponse<String> before = get(pages, "/readyz");
      assertThat(before.statusCode()).isEqualTo(503);
      assertThat(before.body()).contains("registration: WAITING");
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      register(registry.resolve("memo.example.com-reg.sock"));
      while (registration.state() != PluginRegistration.State.REGISTERED) {
        Thread.sleep(10);
      }
      assertThat(awaitOk(pages, "/readyz").statusCode()).isEqualTo(200);
    } finally {
      Files.delete(registry);
    }
  }

  private static void register(Path socket) throws Exception {
    try (Connection connection = new Connection(socket)) {
      ManagedChannel channel = connection.channel();
      RegistrationGrpc.RegistrationBlockingStub kubelet = RegistrationGrpc.newBlockingStub(channel);
      assertThat(kubelet.getInfo(InfoRequest.getDefaultInstance()).getName())
          .isEqualTo("memo.example.com");
      assertThat(
              kubelet.notifyRegistrationStatus(
                  RegistrationStatus.newBuilder().setPluginRegistered(true).build()))
          .isNotNull();
    }
  }

  @Test
  void aConditionThatFailsIsNamed() throws Exception {
    try (CsiServer server = serve();
        Monitoring pages =
            pages(server)
                .condition("pool", () -> Optional.of("it is full"))
                .condition("disk", Optional::empty)
                .condition(
                    "broken",
                    () -> {
                      throw new IllegalStateException("canary");
                    })
                .start()) {
      HttpResponse<String> readiness = get(pages, "/readyz");
      assertThat(readiness.statusCode()).isEqualTo(500);
      assertThat(readiness.body()).doesNotContain("canary");
    }
    try (CsiServer server = serve();
        Monitoring pages =
            pages(server)
                .condition("pool", () -> Optional.of("it is full"))
                .condition("disk", Optional::empty)
                .start()) {
      String full = "pool: it is full\n";
      assertThat(await(pages, "/readyz", answer -> answer.body().equals(full)).body())
          .isEqualTo(full);
    }
  }

  @Test
  void callsAreCountedWithTheLabelsAndBucketsThatDashboardsKnow() throws Exception {
    CsiDriver driver = driver();
    DriverMetrics metrics = DriverMetrics.of(driver);
    try (CsiServer server =
            CsiServer.forDriver(driver)
                .endpoint(CsiEndpoint.unix(socket()))
                .listener(metrics)
                .operations(OperationSettings.defaults().withListener(metrics))
                .start();
        Monitoring pages = pages(server).metrics(metrics).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      unpublish("vol-1");
      unpublish("");
      String text = awaitFinished(pages);
      String ok =
          "driver_name=\"memo.example.com\",grpc_status_code=\"OK\","
              + "method_name=\"/csi.v1.Node/NodeUnpublishVolume\"";
      for (String bound :
          "0.1 0.25 0.5 1.0 2.5 5.0 10.0 15.0 25.0 50.0 120.0 300.0 600.0 +Inf".split(" ", -1)) {
        assertThat(text)
            .contains("csi_plugin_operations_seconds_bucket{" + ok + ",le=\"" + bound + "\"}");
      }
      assertThat(text)
          .contains("csi_plugin_operations_seconds_count{" + ok + "} 1")
          .contains("grpc_status_code=\"InvalidArgument\"")
          .contains("method_name=\"/csi.v1.Identity/Probe\"")
          .contains(
              "csi_plugin_operations_in_flight{driver_name=\"memo.example.com\","
                  + "method_name=\"/csi.v1.Node/NodeUnpublishVolume\"} 0.0")
          .contains("csi_plugin_operations_wait_seconds_count{")
          .contains("jvm_memory_used_bytes")
          .contains("process_open_fds");
      HttpResponse<String> open =
          client.send(
              HttpRequest.newBuilder(
                      URI.create("http://127.0.0.1:" + pages.address().getPort() + "/metrics"))
                  .header("Accept", "application/openmetrics-text; version=1.0.0")
                  .build(),
              HttpResponse.BodyHandlers.ofString());
      assertThat(open.headers().firstValue("Content-Type").orElse("")).contains("openmetrics");
      assertThat(open.body()).endsWith("# EOF\n");
    }
  }

  /** The listener hears of the ends of the calls a moment after the callers. */
  private String awaitFinished(Monitoring pages) throws Exception {
    String label = "method_name=\"/csi.v1.Node/NodeUnpublishVolume\"} ";
    Predicate<HttpResponse<String>> finished =
        answer ->
            Stream.of("OK", "InvalidArgument")
                .allMatch(
                    code ->
                        answer.body().contains("grpc_status_code=\"" + code + "\"," + label + "1"));
    String none =
        "csi_plugin_operations_in_flight{driver_name=\"memo.example.com\"," + label + "0.0";
    return await(pages, "/metrics", finished.and(answer -> answer.body().contains(none))).body();
  }

  private void unpublish(String volume) {
    try (Connection connection = new Connection(socket())) {
      connection.unpublish(volume);
    }
  }

  @Test
  void nothingListensWithoutAPort() throws Exception {
    try (CsiServer server = serve()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> Monitoring.forServer(server).start())
          .withMessageContaining("port");
    }
  }

  @Test
  void closedPagesLeaveNoThreadAndNoPort() throws Exception {
    int port;
    try (CsiServer server = serve();
        Monitoring pages = pages(server).start()) {
      assertThat(awaitOk(pages, "/healthz").statusCode()).isEqualTo(200);
      port = pages.address().getPort();
    }
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (ownThreads() > 0 && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(ownThreads()).isZero();
    try (ServerSocketChannel again = ServerSocketChannel.open()) {
      again.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
  }

  private static long ownThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("csi-"))
        .count();
  }
}
