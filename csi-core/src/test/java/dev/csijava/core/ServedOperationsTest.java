package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.util.concurrent.ListenableFuture;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.core.operation.OperationListener;
import dev.csijava.core.operation.OperationSettings;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule K8 as callers see it, over a real socket. */
@Timeout(60)
class ServedOperationsTest {
  private static final CreateVolumeRequest CREATE = ValidRequests.create().setName("one").build();

  private final CountDownLatch started = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger executions = new AtomicInteger();
  private final AtomicInteger joined = new AtomicInteger();
  private final AtomicInteger aborted = new AtomicInteger();

  private final OperationSettings settings =
      OperationSettings.defaults()
          .withLockWait(Duration.ofMinutes(1))
          .withListener(
              new OperationListener() {
                @Override
                public void joined(String rpc) {
                  joined.incrementAndGet();
                }

                @Override
                public void aborted(String rpc) {
                  aborted.incrementAndGet();
                }
              });

  private ServedDriver serve(EveryCapability handlers) {
    return serve(handlers, settings);
  }

  private static ServedDriver serve(EveryCapability handlers, OperationSettings settings) {
    return ServedDriver.start(handlers.driver().build(), builder -> builder.operations(settings));
  }

  /** Creates volumes as the framework's helper helps to, the first one slowly. */
  private final class SlowCreates extends EveryCapability {
    private final Map<String, Made<CreateVolumeRequest, CreateVolumeResponse>> made =
        new ConcurrentHashMap<>();
    private final IdempotentCreate<CreateVolumeRequest, CreateVolumeResponse> creates =
        IdempotentCreate.ofVolumes(
            name -> Optional.ofNullable(made.get(name)),
            response -> response.getVolume().getCapacityBytes(),
            (volume, requirements) -> true);

    @Override
    public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
      return creates.findOrCreate(
          request,
          normalised -> {
            executions.incrementAndGet();
            started.countDown();
            await(release);
            CreateVolumeResponse response = super.createVolume(request, call);
            made.put(request.getName(), new Made<>(normalised, response));
            return response;
          });
    }
  }

  @Test
  @Proves({"CTRL-CREATE-005", "GEN-CONC-001", "GEN-TIME-001"})
  void b073B074ThirtyTwoClientsThatRetryAgainstASlowHandlerCauseOneExecution() throws Exception {
    ExecutorService clients = Executors.newFixedThreadPool(32);
    try (ServedDriver served = serve(new SlowCreates())) {
      AtomicInteger expired = new AtomicInteger();
      List<Future<CreateVolumeResponse>> answers = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        ManagedChannel channel = served.channel();
        answers.add(clients.submit(() -> createUntilAnswered(channel, expired)));
      }
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      while (expired.get() < 64) {
        Thread.sleep(10);
      }
      assertThat(executions).hasValue(1);
      release.countDown();
      Set<CreateVolumeResponse> different = new HashSet<>();
      for (Future<CreateVolumeResponse> answer : answers) {
        different.add(answer.get(20, TimeUnit.SECONDS));
      }
      assertThat(different).hasSize(1);
      assertThat(executions).hasValue(1);
      assertThat(joined.get()).isPositive();
      assertThat(aborted).hasValue(0);
    } finally {
      release.countDown();
      clients.shutdownNow();
    }
  }

  /** In a hurry while the handler is slow, so that many attempts are made. */
  private CreateVolumeResponse createUntilAnswered(ManagedChannel channel, AtomicInteger expired) {
    while (true) {
      try {
        return ControllerGrpc.newBlockingStub(channel)
            .withDeadlineAfter(release.getCount() == 0 ? 20_000 : 300, TimeUnit.MILLISECONDS)
            .createVolume(CREATE);
      } catch (StatusRuntimeException e) {
        if (e.getStatus().getCode() != Status.Code.DEADLINE_EXCEEDED) {
          throw e;
        }
        expired.incrementAndGet();
      }
    }
  }

  @Test
  @Proves("GEN-CONC-001")
  void identicalCallsAtTheSameTimeGetEqualResponsesSecretsAside() throws Exception {
    try (ServedDriver served = serve(new SlowCreates())) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      ListenableFuture<CreateVolumeResponse> first =
          controller.createVolume(CREATE.toBuilder().putSecrets("k", "old").build());
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ListenableFuture<CreateVolumeResponse> second =
          controller.createVolume(CREATE.toBuilder().putSecrets("k", "new").build());
      awaitCount(joined, 1);
      assertThat(second.isDone()).isFalse();
      release.countDown();
      assertThat(second.get(10, TimeUnit.SECONDS)).isEqualTo(first.get(10, TimeUnit.SECONDS));
      assertThat(executions).hasValue(1);
    } finally {
      release.countDown();
    }
  }

  /** As kubelet's retry with a fresh token, which meets the first call still at work. */
  @Test
  @Proves("GEN-CONC-001")
  void publicationsThatDifferByTheirTokensOnlyAreJoinedWhereverTheTokensAre() throws Exception {
    String key = "csi.storage.k8s.io/serviceAccount.tokens";
    NodePublishVolumeRequest plain = ValidRequests.publish().build();
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public NodePublishVolumeResponse nodePublishVolume(
              NodePublishVolumeRequest request, CallContext call) {
            executions.incrementAndGet();
            started.countDown();
            await(release);
            return super.nodePublishVolume(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(served.channel());
      List<ListenableFuture<NodePublishVolumeResponse>> calls = new ArrayList<>();
      calls.add(node.nodePublishVolume(plain.toBuilder().putSecrets(key, "first").build()));
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      calls.add(node.nodePublishVolume(plain.toBuilder().putSecrets(key, "second").build()));
      calls.add(node.nodePublishVolume(plain.toBuilder().putVolumeContext(key, "third").build()));
      awaitCount(joined, 2);
      release.countDown();
      for (ListenableFuture<NodePublishVolumeResponse> call : calls) {
        assertThat(call.get(10, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(executions).hasValue(1);
      assertThat(aborted).hasValue(0);
      // Later the fresh token reaches the driver.
      assertThat(node.nodePublishVolume(plain.toBuilder().putSecrets(key, "later").build()).get())
          .isNotNull();
      assertThat(executions).hasValue(2);
    } finally {
      release.countDown();
    }
  }

  @Test
  @Proves({"GEN-CONC-001", "GEN-CONC-002", "GEN-CONC-003"})
  void anotherCreateByTheSameNameIsAbortedAfterAShortWaitAndRefusedLater() throws Exception {
    CreateVolumeRequest other = CREATE.toBuilder().putParameters("kind", "other").build();
    OperationSettings usual = settings.withLockWait(OperationSettings.defaults().lockWait());
    try (ServedDriver served = serve(new SlowCreates(), usual)) {
      ListenableFuture<CreateVolumeResponse> first =
          ControllerGrpc.newFutureStub(served.channel()).createVolume(CREATE);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      long start = System.nanoTime();
      Status status = status(() -> create(served, other));
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .isGreaterThanOrEqualTo(usual.lockWait());
      assertThat(status.getCode()).isEqualTo(Status.Code.ABORTED);
      assertThat(status.getDescription()).contains("volume name one").contains("CreateVolume");
      assertThat(aborted).hasValue(1);
      release.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS).hasVolume()).isTrue();
      assertThat(status(() -> create(served, other)).getCode())
          .isEqualTo(Status.Code.ALREADY_EXISTS);
      assertThat(executions).hasValue(1);
    } finally {
      release.countDown();
    }
  }

  @Test
  void twentyPodsOfOneVolumeAreUnpublishedInParallelAllOk() throws Exception {
    CountDownLatch two = new CountDownLatch(2);
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public NodeUnpublishVolumeResponse nodeUnpublishVolume(
              NodeUnpublishVolumeRequest request, CallContext call) {
            two.countDown();
            await(two);
            sleep(20);
            return super.nodeUnpublishVolume(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(served.channel());
      List<ListenableFuture<NodeUnpublishVolumeResponse>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(
            node.nodeUnpublishVolume(
                NodeUnpublishVolumeRequest.newBuilder()
                    .setVolumeId("vol-1")
                    .setTargetPath("/pods/" + i + "/mount")
                    .build()));
      }
      for (ListenableFuture<NodeUnpublishVolumeResponse> call : calls) {
        assertThat(call.get(20, TimeUnit.SECONDS)).isNotNull();
      }
      assertThat(handlers.calls).containsEntry("NodeUnpublishVolume", 20);
      assertThat(aborted).hasValue(0);
    }
  }

  @Test
  void b079TwentySnapshotsOfOneVolumeAreMadeInOneGo() throws Exception {
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateSnapshotResponse createSnapshot(
              CreateSnapshotRequest request, CallContext call) {
            sleep(100);
            return super.createSnapshot(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      List<ListenableFuture<CreateSnapshotResponse>> calls = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        calls.add(controller.createSnapshot(ValidRequests.snapshot().setName("s" + i).build()));
      }
      for (ListenableFuture<CreateSnapshotResponse> call : calls) {
        assertThat(call.get(20, TimeUnit.SECONDS).hasSnapshot()).isTrue();
      }
    }
  }

  @Test
  void aLongSnapshotDoesNotHoldUpPublishAndUnpublishOfItsSource() throws Exception {
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateSnapshotResponse createSnapshot(
              CreateSnapshotRequest request, CallContext call) {
            started.countDown();
            await(release);
            return super.createSnapshot(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      List<ListenableFuture<CreateSnapshotResponse>> copies = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        copies.add(
            ControllerGrpc.newFutureStub(served.channel())
                .createSnapshot(ValidRequests.snapshot().setName("s" + i).build()));
      }
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      String source = ValidRequests.snapshot().getSourceVolumeId();
      NodePublishVolumeRequest publish = ValidRequests.publish().setVolumeId(source).build();
      NodeGrpc.NodeBlockingStub node =
          NodeGrpc.newBlockingStub(served.channel()).withDeadlineAfter(10, TimeUnit.SECONDS);
      assertThat(node.nodePublishVolume(publish)).isNotNull();
      assertThat(
              node.nodeUnpublishVolume(
                  NodeUnpublishVolumeRequest.newBuilder()
                      .setVolumeId(source)
                      .setTargetPath(publish.getTargetPath())
                      .build()))
          .isNotNull();
      assertThat(copies).noneMatch(Future::isDone);
      release.countDown();
      for (ListenableFuture<CreateSnapshotResponse> copy : copies) {
        assertThat(copy.get(20, TimeUnit.SECONDS).hasSnapshot()).isTrue();
      }
    } finally {
      release.countDown();
    }
  }

  @Test
  void b086TwoDetachesAtOnceAreOne() throws Exception {
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
              ControllerUnpublishVolumeRequest request, CallContext call) {
            started.countDown();
            await(release);
            return super.controllerUnpublishVolume(request, call);
          }
        };
    ControllerUnpublishVolumeRequest detach =
        ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("v").setNodeId("n").build();
    try (ServedDriver served = serve(handlers)) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      var first = controller.controllerUnpublishVolume(detach);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      var second = controller.controllerUnpublishVolume(detach);
      awaitCount(joined, 1);
      release.countDown();
      assertThat(first.get(10, TimeUnit.SECONDS)).isEqualTo(second.get(10, TimeUnit.SECONDS));
      assertThat(handlers.calls).containsEntry("ControllerUnpublishVolume", 1);
    } finally {
      release.countDown();
    }
  }

  @Test
  void joinedWorkIsCancelledOnlyWhileAllItsCallersAreGone() throws Exception {
    AtomicReference<CallContext> context = new AtomicReference<>();
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            context.set(call);
            started.countDown();
            await(release);
            return super.createVolume(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      ListenableFuture<CreateVolumeResponse> first = controller.createVolume(CREATE);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ListenableFuture<CreateVolumeResponse> second = controller.createVolume(CREATE);
      awaitCount(joined, 1);
      assertThat(first.cancel(true)).isTrue();
      Thread.sleep(200);
      assertThat(context.get().isCancelled()).as("one still waits").isFalse();
      assertThat(second.cancel(true)).isTrue();
      awaitCancelled(context.get(), true);
      ListenableFuture<CreateVolumeResponse> third = controller.createVolume(CREATE);
      awaitCancelled(context.get(), false);
      release.countDown();
      assertThat(third.get(10, TimeUnit.SECONDS).hasVolume()).isTrue();
      assertThat(handlers.calls).containsEntry("CreateVolume", 1);
    } finally {
      release.countDown();
    }
  }

  @Test
  @Proves("GEN-CONC-003")
  void aRetryThatFailsTellsAllWhoJoined() throws Exception {
    AtomicBoolean fail = new AtomicBoolean(true);
    EveryCapability handlers =
        new EveryCapability() {
          @Override
          public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
            started.countDown();
            await(release);
            if (fail.get()) {
              throw CsiException.resourceExhausted("the pool is full");
            }
            return super.createVolume(request, call);
          }
        };
    try (ServedDriver served = serve(handlers)) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      ListenableFuture<CreateVolumeResponse> first = controller.createVolume(CREATE);
      assertThat(started.await(10, TimeUnit.SECONDS)).isTrue();
      ListenableFuture<CreateVolumeResponse> second = controller.createVolume(CREATE);
      awaitCount(joined, 1);
      release.countDown();
      for (ListenableFuture<CreateVolumeResponse> call : List.of(first, second)) {
        ExecutionException failure =
            catchThrowableOfType(ExecutionException.class, () -> call.get(10, TimeUnit.SECONDS));
        assertThat(Status.fromThrowable(failure).getCode())
            .isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      }
      fail.set(false);
      assertThat(create(served, CREATE).hasVolume()).isTrue();
    } finally {
      release.countDown();
    }
  }

  private static CreateVolumeResponse create(ServedDriver served, CreateVolumeRequest request) {
    return ControllerGrpc.newBlockingStub(served.channel()).createVolume(request);
  }

  private static Status status(Runnable call) {
    StatusRuntimeException failure = catchThrowableOfType(StatusRuntimeException.class, call::run);
    assertThat(failure).as("the call should have failed").isNotNull();
    return failure.getStatus();
  }

  private static void awaitCount(AtomicInteger count, int least) throws InterruptedException {
    while (count.get() < least) {
      Thread.sleep(5);
    }
  }

  private static void awaitCancelled(CallContext call, boolean wanted) throws InterruptedException {
    while (call.isCancelled() != wanted) {
      Thread.sleep(5);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
