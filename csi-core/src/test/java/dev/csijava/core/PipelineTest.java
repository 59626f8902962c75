package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.Message;
import dev.csijava.core.metadata.ReplyStream;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.spec.v1.VolumeCapability;
import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.logging.Level;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to a call between the socket and the handler, over a real socket. */
class PipelineTest {
  private static final VolumeCapability CAPABILITY =
      VolumeCapability.newBuilder()
          .setMount(VolumeCapability.MountVolume.getDefaultInstance())
          .setAccessMode(
              VolumeCapability.AccessMode.newBuilder()
                  .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
          .build();
  private static final CreateVolumeRequest CREATE =
      CreateVolumeRequest.newBuilder()
          .setName("one")
          .addVolumeCapabilities(CAPABILITY)
          .putSecrets("password", "hunter2-hunter2")
          .build();
  private static final NodeStageVolumeRequest STAGE =
      NodeStageVolumeRequest.newBuilder()
          .setVolumeId("vol-1")
          .setStagingTargetPath("/staging")
          .setVolumeCapability(CAPABILITY)
          .build();

  /** A driver whose CreateVolume does what the test says. */
  private static CsiDriver creating(Handler.Unary<CreateVolumeRequest, CreateVolumeResponse> body) {
    return new EveryCapability() {
      @Override
      public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
        return body.handle(request, call);
      }
    }.driver().build();
  }

  private static StatusRuntimeException failure(Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("the call should have failed").isNotNull();
    return failure;
  }

  private static Status status(Runnable call) {
    return failure(call).getStatus();
  }

  @ParameterizedTest
  @EnumSource(Rpc.class)
  @Proves({"GEN-RPC-004", "GEN-RPC-005"})
  void b180AnRpcWithoutAHandlerIsUnimplementedWithASentence(Rpc rpc) {
    CsiDriver nodeOnly =
        CsiDriver.named("a.b")
            .version("1")
            .node(n -> n.id("n").publishing(new EveryCapability()))
            .build();
    if (nodeOnly.handlers().has(rpc)) {
      return;
    }
    try (ServedDriver served = ServedDriver.start(nodeOnly)) {
      Status status = status(() -> call(served, rpc));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
      assertThat(status.getDescription()).contains(rpc.title()).contains("lacks");
    }
  }

  @SuppressWarnings("unchecked")
  private static void call(ServedDriver served, Rpc rpc) {
    MethodDescriptor<Message, Message> method =
        (MethodDescriptor<Message, Message>) (MethodDescriptor<?, ?>) rpc.method();
    Message request =
        (Message)
            ((MethodDescriptor.PrototypeMarshaller<?>) method.getRequestMarshaller())
                .getMessagePrototype();
    if (rpc.streams()) {
      var unused =
          ClientCalls.blockingServerStreamingCall(
                  served.channel(), method, CallOptions.DEFAULT, request)
              .hasNext();
    } else {
      ClientCalls.blockingUnaryCall(served.channel(), method, CallOptions.DEFAULT, request);
    }
  }

  @Test
  void whatAHandlerThrowsOnPurposeReachesTheCallerAsItIs() {
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  throw CsiException.outOfRange("too large; ask for at most 1 TiB");
                }))) {
      Status status = status(() -> create(served));
      assertThat(status.getCode()).isEqualTo(Status.Code.OUT_OF_RANGE);
      assertThat(status.getDescription()).isEqualTo("too large; ask for at most 1 TiB");
    }
  }

  @Test
  @Proves({"GEN-ERR-003", "GEN-ERR-005"})
  void anAccidentInACallThatChangesSomethingIsUnavailableWithAnIdThatTheLogHas() {
    try (LogCapture log = LogCapture.at("dev.csijava", Level.INFO);
        ServedDriver served =
            ServedDriver.start(
                creating(
                    (request, call) -> {
                      throw new IllegalStateException("secret hunter2-hunter2 inside");
                    }))) {
      Status status = status(() -> create(served));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      String description = Objects.requireNonNull(status.getDescription());
      assertThat(description).doesNotContain("hunter2");
      String id = description.replaceAll(".*under call (\\w+)\\..*", "$1");
      assertThat(log.text())
          .contains("call " + id + " CreateVolume failed unexpectedly")
          .contains("IllegalStateException: secret *** inside")
          .doesNotContain("hunter2");
    }
  }

  @Test
  @Proves({"GEN-ERR-003", "GEN-ERR-005"})
  void anAccidentInACallThatOnlyReadsIsInternal() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
            throw new IllegalArgumentException();
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      Status status =
          status(
              () ->
                  ControllerGrpc.newBlockingStub(served.channel())
                      .listVolumes(ListVolumesRequest.getDefaultInstance()));
      assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(status.getDescription()).contains("its log has the reason under call");
    }
  }

  @Test
  @Proves("GEN-ERR-005")
  void anErrorDoesNotEndTheProcessNorTheServer() {
    AtomicInteger rounds = new AtomicInteger();
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  if (rounds.incrementAndGet() == 1) {
                    throw new StackOverflowError();
                  }
                  if (rounds.get() == 2) {
                    throw new OutOfMemoryError("a test");
                  }
                  return new EveryCapability().createVolume(request, call);
                }))) {
      assertThat(status(() -> create(served)).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status(() -> create(served)).getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(create(served).getVolume().getVolumeId()).isEqualTo("vol-one");
    }
  }

  @Test
  @Proves("GEN-ERR-003")
  void aStatusWithoutTextGetsASentence() {
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  throw Status.PERMISSION_DENIED.asRuntimeException();
                }))) {
      Status status = status(() -> create(served));
      assertThat(status.getCode()).isEqualTo(Status.Code.PERMISSION_DENIED);
      assertThat(status.getDescription()).contains("PERMISSION_DENIED and gave no reason");
    }
  }

  @Test
  void aSentenceWithoutEndIsCut() {
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  throw CsiException.notFound("x".repeat(100_000));
                }))) {
      Status status = status(() -> create(served));
      assertThat(status.getCode()).isEqualTo(Status.Code.NOT_FOUND);
      assertThat(status.getDescription()).hasSizeBetween(5000, 6100);
    }
  }

  @Test
  void resourceExhaustedNeverReachesKubelet() {
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public NodeStageVolumeResponse nodeStageVolume(
              NodeStageVolumeRequest request, CallContext call) {
            throw CsiException.resourceExhausted("no loop device is free");
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      Status status =
          status(() -> NodeGrpc.newBlockingStub(served.channel()).nodeStageVolume(STAGE));
      assertThat(status.getCode()).isEqualTo(Status.Code.INTERNAL);
      assertThat(status.getDescription()).isEqualTo("no loop device is free");
    }
  }

  @Test
  @Proves("GEN-SEC-005")
  void secretsOfTheRequestAreStruckOutOfTheSentence() {
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  throw CsiException.internal(
                      "login failed: user u password " + request.getSecretsOrThrow("password"),
                      null);
                }))) {
      assertThat(status(() -> create(served)).getDescription())
          .isEqualTo("login failed: user u password ***");
    }
  }

  @Test
  @Proves("GEN-SEC-005")
  void eachCallIsOneLineWithItsSecretsRedacted() {
    try (LogCapture log = LogCapture.at("dev.csijava.call", Level.FINE);
        ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      create(served);
      awaitLines(log, 1);
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0))
          .matches("(?s)call \\w+ CreateVolume OK in [0-9.]+ ms; request \\{.*}; response \\{.*}")
          .contains("name: \"one\"")
          .contains("key: \"password\"")
          .contains("vol-one")
          .doesNotContain("hunter2")
          .doesNotContain("\n");
    }
  }

  @Test
  void callsThatOnlyReadAreQuietAtInfo() {
    try (LogCapture log = LogCapture.at("dev.csijava.call", Level.INFO);
        ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      ControllerGrpc.newBlockingStub(served.channel())
          .listVolumes(ListVolumesRequest.getDefaultInstance());
      create(served);
      awaitLines(log, 1);
      assertThat(log.messages()).hasSize(1);
      assertThat(log.messages().get(0)).contains("CreateVolume OK").doesNotContain("response");
    }
  }

  private static void awaitLines(LogCapture log, int lines) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
    while (log.messages().size() < lines && System.nanoTime() < deadline) {
      Thread.onSpinWait();
    }
  }

  @Test
  void handlersRunOnThePoolAndKnowTheirCall() {
    AtomicReference<String> thread = new AtomicReference<>("");
    AtomicReference<Duration> left = new AtomicReference<>();
    AtomicReference<String> rpc = new AtomicReference<>();
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  thread.set(Thread.currentThread().getName());
                  left.set(call.timeLeft().orElseThrow());
                  rpc.set(call.rpc() + "/" + call.isCancelled());
                  return new EveryCapability().createVolume(request, call);
                }))) {
      ControllerGrpc.newBlockingStub(served.channel())
          .withDeadlineAfter(30, TimeUnit.SECONDS)
          .createVolume(CREATE);
    }
    assertThat(thread.get()).startsWith("csi-create-");
    assertThat(left.get()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(30));
    assertThat(rpc.get()).isEqualTo("CreateVolume/false");
  }

  @Test
  @Proves("GEN-TIME-001")
  void aHandlerFinishesAlthoughItsCallerHasGoneAway() throws InterruptedException {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch gone = new CountDownLatch(1);
    CountDownLatch finished = new CountDownLatch(1);
    AtomicReference<Boolean> interrupted = new AtomicReference<>();
    try (ServedDriver served =
        ServedDriver.start(
            creating(
                (request, call) -> {
                  started.countDown();
                  try {
                    assertThat(gone.await(60, TimeUnit.SECONDS)).isTrue();
                    while (!call.isCancelled()) {
                      Thread.sleep(1);
                    }
                    interrupted.set(Thread.currentThread().isInterrupted());
                  } catch (InterruptedException e) {
                    interrupted.set(true);
                  }
                  finished.countDown();
                  return new EveryCapability().createVolume(request, call);
                }))) {
      ManagedChannel channel = served.channel();
      do { // A driver that stalls meanwhile never begins the call.
        Status status =
            status(
                () ->
                    ControllerGrpc.newBlockingStub(channel)
                        .withDeadlineAfter(400, TimeUnit.MILLISECONDS)
                        .createVolume(CREATE));
        assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      } while (started.getCount() > 0);
      gone.countDown();
      assertThat(finished.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(interrupted.get()).isFalse();
    }
  }

  @Test
  void moreCallsThanThreadsAndQueueAreRefusedAsRetryable() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    HandlerPool pool = new HandlerPool("test", 2, 3);
    AtomicInteger ran = new AtomicInteger();
    try {
      for (int i = 0; i < 5; i++) {
        pool.execute(
            () -> {
              awaitQuietly(release);
              ran.incrementAndGet();
            });
      }
      CsiException refusal =
          catchThrowableOfType(CsiException.class, () -> pool.execute(ran::incrementAndGet));
      assertThat(refusal.code()).isEqualTo(Status.Code.UNAVAILABLE);
      release.countDown();
      assertThat(pool.drain(Duration.ofSeconds(10))).isTrue();
      assertThat(ran).hasValue(5);
    } finally {
      pool.close();
    }
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void hungCallsDoNotHoldUpIdentityCalls() throws InterruptedException {
    CountDownLatch release = new CountDownLatch(1);
    CountDownLatch hung = new CountDownLatch(2);
    CsiDriver driver =
        creating(
            (request, call) -> {
              hung.countDown();
              awaitQuietly(release);
              return new EveryCapability().createVolume(request, call);
            });
    try (ServedDriver served = ServedDriver.start(driver, builder -> builder.threads(2))) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      for (int i = 0; i < 20; i++) {
        var unused = controller.createVolume(CREATE.toBuilder().setName("n" + i).build());
      }
      assertThat(hung.await(10, TimeUnit.SECONDS)).isTrue();
      assertThat(
              IdentityGrpc.newBlockingStub(served.channel())
                  .withDeadlineAfter(10, TimeUnit.SECONDS)
                  .getPluginInfo(GetPluginInfoRequest.getDefaultInstance())
                  .getName())
          .isEqualTo("every.example.com");
      release.countDown();
    }
  }

  @Test
  void bytesThatAreNoRequestAreAnsweredWithInvalidArgument() {
    MethodDescriptor.Marshaller<byte[]> raw =
        new MethodDescriptor.Marshaller<>() {
          @Override
          public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
          }

          @Override
          public byte[] parse(InputStream stream) {
            return new byte[0];
          }
        };
    MethodDescriptor<byte[], byte[]> method =
        ControllerGrpc.getCreateVolumeMethod().toBuilder(raw, raw).build();
    try (LogCapture log = LogCapture.at("dev.csijava.call", Level.INFO);
        ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      Status status =
          status(
              () ->
                  ClientCalls.blockingUnaryCall(
                      served.channel(),
                      method,
                      CallOptions.DEFAULT,
                      new byte[] {10, 50, (byte) 0xff, 1}));
      assertThat(status.getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
      assertThat(status.getDescription()).contains("no CreateVolume request");
      assertThat(log.messages().get(0))
          .endsWith(
              " CreateVolume INVALID_ARGUMENT: the bytes of the request are no CreateVolume"
                  + " request");
      assertThat(create(served).getVolume().getVolumeId()).isEqualTo("vol-one");
    }
  }

  @Test
  void listenersHearOfEveryCallAndCannotHarmIt() {
    List<String> heard = new CopyOnWriteArrayList<>();
    CallListener listener =
        new CallListener() {
          @Override
          public void started(CallContext call) {
            heard.add("started " + call.rpc());
            throw new NoSuchMethodError("a library of another version");
          }

          @Override
          public void finished(CallContext call, Status.Code code, Duration elapsed) {
            heard.add("finished " + call.rpc() + " " + code + " " + !elapsed.isNegative());
            throw new IllegalStateException("a listener that fails");
          }
        };
    try (ServedDriver served =
        ServedDriver.start(
            new EveryCapability().driver().build(), builder -> builder.listener(listener))) {
      create(served);
      status(
          () ->
              ControllerGrpc.newBlockingStub(served.channel())
                  .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("").build()));
    }
    assertThat(heard)
        .contains("started CreateVolume", "finished CreateVolume OK true", "started DeleteVolume");
  }

  @Test
  void aStreamReachesTheCallerInOrderAndEndsWithOk() {
    try (ServedDriver served = ServedDriver.start(new EveryCapability().driver().build())) {
      List<Long> offsets = new ArrayList<>();
      SnapshotMetadataGrpc.newBlockingStub(served.channel())
          .getMetadataAllocated(
              GetMetadataAllocatedRequest.newBuilder().setSnapshotId("snap-1").build())
          .forEachRemaining(r -> offsets.add(r.getBlockMetadata(0).getByteOffset()));
      assertThat(offsets).containsExactly(0L, 4096L);
    }
  }

  @Test
  @Proves("SMETA-STREAM-004")
  void aStreamWaitsForASlowCallerAndStopsWhenItGoesAway() throws InterruptedException {
    AtomicInteger sent = new AtomicInteger();
    AtomicReference<Throwable> end = new AtomicReference<>();
    CountDownLatch ended = new CountDownLatch(1);
    CsiDriver driver =
        new EveryCapability() {
          @Override
          public void getMetadataAllocated(
              GetMetadataAllocatedRequest request,
              ReplyStream<GetMetadataAllocatedResponse> replies,
              CallContext call) {
            try {
              super.getMetadataAllocated(
                  request,
                  message -> {
                    GetMetadataAllocatedResponse.Builder big = message.toBuilder();
                    for (int i = 0; i < 1_000_000; i++) {
                      long offset = i * 4096L;
                      big.getBlockMetadataBuilder(0).setByteOffset(offset);
                      big.setVolumeCapacityBytes(1L << 40);
                      replies.send(big.build());
                      sent.incrementAndGet();
                    }
                  },
                  call);
            } catch (Throwable t) {
              end.set(t);
              throw t;
            } finally {
              ended.countDown();
            }
          }
        }.driver().build();
    try (ServedDriver served = ServedDriver.start(driver)) {
      ManagedChannel channel = served.channel();
      Iterator<GetMetadataAllocatedResponse> replies =
          SnapshotMetadataGrpc.newBlockingStub(channel)
              .getMetadataAllocated(
                  GetMetadataAllocatedRequest.newBuilder().setSnapshotId("snap-1").build());
      assertThat(replies.next().getBlockMetadata(0).getByteOffset()).isZero();
      int seen;
      do {
        seen = sent.get();
        Thread.sleep(200);
      } while (sent.get() != seen);
      assertThat(seen).as("messages sent to a caller that takes none").isLessThan(900_000);
      channel.shutdownNow();
      assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(end.get()).isInstanceOf(CsiException.class);
    }
  }

  private static CreateVolumeResponse create(ServedDriver served) {
    return ControllerGrpc.newBlockingStub(served.channel()).createVolume(CREATE);
  }

  @Test
  void conditionsOf112AreFilledInFromTheHealthHandlers() {
    EveryCapability every = new EveryCapability();
    try (ServedDriver served = ServedDriver.start(every.driver().build())) {
      ListVolumesResponse listed =
          ControllerGrpc.newBlockingStub(served.channel())
              .listVolumes(ListVolumesRequest.getDefaultInstance());
      assertThat(listed.getEntries(0).getStatus().getVolumeCondition().getMessage())
          .isEqualTo("the volume is healthy");
      assertThat(
              NodeGrpc.newBlockingStub(served.channel())
                  .nodeGetVolumeStats(
                      NodeGetVolumeStatsRequest.newBuilder()
                          .setVolumeId("vol-1")
                          .setVolumePath("/a")
                          .build())
                  .getVolumeCondition()
                  .getAbnormal())
          .isFalse();
    }
    assertThat(every.calls).containsKeys("ControllerGetVolumeHealth", "NodeGetVolumeHealth");
  }
}
