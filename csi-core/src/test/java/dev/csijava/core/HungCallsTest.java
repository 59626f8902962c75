package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.util.concurrent.ListenableFuture;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import io.grpc.ForwardingServerCallListener;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** No call holds another hostage (rule K15; field bugs B169 and B172). */
@Timeout(60)
class HungCallsTest {
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger hanging = new AtomicInteger();
  private final List<String> statsBegun = new CopyOnWriteArrayList<>();

  /** Whatever has to do with the volume "dead" hangs. */
  private final EveryCapability handlers =
      new EveryCapability() {
        @Override
        public NodeGetVolumeStatsResponse nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, CallContext call) {
          statsBegun.add(request.getVolumePath());
          hangIfDead(request.getVolumeId());
          return super.nodeGetVolumeStats(request, call);
        }

        @Override
        public NodeUnpublishVolumeResponse nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request, CallContext call) {
          hangIfDead(request.getVolumeId());
          return super.nodeUnpublishVolume(request, call);
        }

        @Override
        public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
          hangIfDead(request.getParametersOrDefault("state", ""));
          return super.createVolume(request, call);
        }

        @Override
        public CreateSnapshotResponse createSnapshot(
            CreateSnapshotRequest request, CallContext call) {
          hangIfDead(request.getParametersOrDefault("state", ""));
          return super.createSnapshot(request, call);
        }
      };

  private void hangIfDead(String what) {
    if (what.equals("dead")) {
      hanging.incrementAndGet();
      try {
        release.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        hanging.decrementAndGet();
      }
    }
  }

  @AfterEach
  void letGo() {
    release.countDown();
  }

  @Test
  void b172AHundredHungStatsCallsOfOneVolumeHoldOneThreadAndNobodyElse() throws Exception {
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(served.channel());
      List<ListenableFuture<NodeGetVolumeStatsResponse>> hung = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        hung.add(node.nodeGetVolumeStats(stats("dead", "/pods/" + i)));
      }
      awaitHanging(1);
      assertOthersAnswer(served);
      assertThat(hanging).as("threads that hang").hasValue(1);
      // Those of a server before may take a moment to end.
      while (threads("csi-storage") >= 5) {
        Thread.sleep(5);
      }
      while (refused(hung) < 67) {
        Thread.sleep(5);
      }
      assertThat(refused(hung)).as("calls too many, refused as retryable").isEqualTo(67);
      release.countDown();
      for (ListenableFuture<NodeGetVolumeStatsResponse> call : hung) {
        assertThat(codeOf(call)).isIn(Status.Code.OK, Status.Code.UNAVAILABLE);
      }
    }
  }

  @Test
  void statsCallsWhoseCallersHaveGoneAwayMakeRoomAndNeverBegin() throws Exception {
    Departures departures = new Departures();
    try (ServedDriver served =
        ServedDriver.start(handlers.driver().build(), builder -> builder.interceptor(departures))) {
      ManagedChannel channel = served.channel();
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(channel);
      var first = node.nodeGetVolumeStats(stats("dead", "/pods/first"));
      awaitHanging(1);
      for (int round = 0; round < 5; round++) {
        List<ListenableFuture<NodeGetVolumeStatsResponse>> waiting = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          waiting.add(
              node.withDeadlineAfter(200, TimeUnit.MILLISECONDS)
                  .nodeGetVolumeStats(stats("dead", "/round" + round + "/" + i)));
        }
        for (ListenableFuture<NodeGetVolumeStatsResponse> call : waiting) {
          assertThat(codeOf(call)).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
        }
        departures.awaitAllBut(1, channel);
      }
      release.countDown();
      assertThat(codeOf(first)).isEqualTo(Status.Code.OK);
      assertThat(
              NodeGrpc.newBlockingStub(channel)
                  .nodeGetVolumeStats(stats("dead", "/pods/last"))
                  .getUsageCount())
          .isPositive();
    }
    assertThat(statsBegun).as("calls that began").containsExactly("/pods/first", "/pods/last");
  }

  /** Knows which calls came to the server and of which it has heard that nobody waits for them. */
  private static final class Departures implements ServerInterceptor {
    private final AtomicInteger come = new AtomicInteger();
    private final AtomicInteger gone = new AtomicInteger();

    @Override
    public <Q, R> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, R> call, Metadata headers, ServerCallHandler<Q, R> next) {
      ServerCall.Listener<Q> listener = next.startCall(call, headers);
      if (!NodeGrpc.SERVICE_NAME.equals(call.getMethodDescriptor().getServiceName())) {
        return listener;
      }
      come.incrementAndGet();
      return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(listener) {
        @Override
        public void onCancel() {
          super.onCancel();
          gone.incrementAndGet();
        }
      };
    }

    /** The server hears later than the caller that its time is over. */
    void awaitAllBut(int waiting, ManagedChannel channel) throws InterruptedException {
      // What was sent on this connection before has come once this is answered.
      assertThat(
              IdentityGrpc.newBlockingStub(channel)
                  .getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))
          .isNotNull();
      while (gone.get() < come.get() - waiting) {
        Thread.sleep(5);
      }
    }
  }

  @Test
  void hungUnpublishesOfOneVolumeLeaveThreadsForOtherVolumes() throws Exception {
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      NodeGrpc.NodeFutureStub node = NodeGrpc.newFutureStub(served.channel());
      List<ListenableFuture<NodeUnpublishVolumeResponse>> hung = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        hung.add(node.nodeUnpublishVolume(unpublish("dead", "/pods/" + i)));
      }
      awaitHanging(8);
      assertOthersAnswer(served);
      assertThat(hanging).as("threads that hang").hasValue(8);
      release.countDown();
      for (ListenableFuture<NodeUnpublishVolumeResponse> call : hung) {
        assertThat(codeOf(call)).isEqualTo(Status.Code.OK);
      }
    }
  }

  @Test
  void b169ProbeAnswersWhileEveryThreadHangs() throws Exception {
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      for (int i = 0; i < 100; i++) {
        var unused =
            controller.createVolume(
                ValidRequests.create().setName("n" + i).putParameters("state", "dead").build());
      }
      awaitHanging(32);
      assertThat(Probes.awaitReady(served.channel())).isPositive();
      release.countDown();
    }
  }

  /** A night's backups copy for hours; pods must start and end meanwhile. */
  @Test
  void copiesHoldUpOtherCopiesOnly() throws Exception {
    try (ServedDriver served = ServedDriver.start(handlers.driver().build())) {
      ControllerGrpc.ControllerFutureStub controller =
          ControllerGrpc.newFutureStub(served.channel());
      List<ListenableFuture<?>> copies = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        copies.add(
            controller.createVolume(
                ValidRequests.create().setName("n" + i).putParameters("state", "dead").build()));
        copies.add(
            controller.createSnapshot(
                ValidRequests.snapshot()
                    .setName("s" + i)
                    .setSourceVolumeId("v" + i)
                    .putParameters("state", "dead")
                    .build()));
      }
      awaitHanging(32);
      assertOthersAnswer(served);
      assertThat(hanging).as("threads that copy").hasValue(32);
      release.countDown();
      for (ListenableFuture<?> copy : copies) {
        assertThat(codeOf(copy)).isEqualTo(Status.Code.OK);
      }
    }
  }

  private static void assertOthersAnswer(ServedDriver served) {
    assertThat(Probes.awaitReady(served.channel())).isPositive();
    NodeGrpc.NodeBlockingStub node =
        NodeGrpc.newBlockingStub(served.channel()).withDeadlineAfter(10, TimeUnit.SECONDS);
    assertThat(node.nodeGetVolumeStats(stats("alive", "/pods/a")).getUsageCount()).isPositive();
    assertThat(node.nodeGetVolumeHealth(ValidRequests.nodeHealth().setVolumeId("alive").build()))
        .isNotNull();
    assertThat(node.nodeUnpublishVolume(unpublish("alive", "/pods/a"))).isNotNull();
    assertThat(
            ControllerGrpc.newBlockingStub(served.channel())
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId("alive").build()))
        .isNotNull();
  }

  private static long refused(List<? extends ListenableFuture<?>> calls) {
    return calls.stream().filter(ListenableFuture::isDone).count();
  }

  private static NodeGetVolumeStatsRequest stats(String volume, String path) {
    return NodeGetVolumeStatsRequest.newBuilder().setVolumeId(volume).setVolumePath(path).build();
  }

  private static NodeUnpublishVolumeRequest unpublish(String volume, String target) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(volume)
        .setTargetPath(target)
        .build();
  }

  private static Status.Code codeOf(ListenableFuture<?> call) throws InterruptedException {
    try {
      call.get();
      return Status.Code.OK;
    } catch (ExecutionException e) {
      return Status.fromThrowable(e).getCode();
    }
  }

  private void awaitHanging(int least) throws InterruptedException {
    while (hanging.get() < least) {
      Thread.sleep(5);
    }
  }

  private static long threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }
}
