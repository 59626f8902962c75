package dev.csijava.core.operation;

import static dev.csijava.core.operation.Calls.code;
import static dev.csijava.core.operation.Calls.failure;
import static dev.csijava.core.operation.Calls.get;
import static dev.csijava.core.operation.Calls.held;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.core.CsiException;
import dev.csijava.core.Proves;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperationsTest {
  private static final Message DELETE =
      DeleteVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  private static final Message STAGE =
      NodeStageVolumeRequest.newBuilder()
          .setVolumeId("vol-1")
          .setStagingTargetPath("/staging")
          .build();

  private final Heard heard = new Heard();
  private final Operations patient = engine(Duration.ofSeconds(Calls.SECONDS));
  private final Operations hasty = engine(Duration.ofMillis(100));
  private final Calls patientCalls = new Calls(patient);
  private final Calls hastyCalls = new Calls(hasty);
  private final CountDownLatch begun = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);

  @AfterEach
  void nothingIsLeftBehind() {
    mayEnd.countDown();
    Calls.awaitUntil(() -> patient.size() == 0 && hasty.size() == 0);
    patientCalls.close();
    hastyCalls.close();
    patient.close();
    hasty.close();
  }

  @Test
  void b073B074ThirtyTwoIdenticalCallersCauseOneExecutionAndGetOneResponse() {
    AtomicInteger executions = new AtomicInteger();
    List<CompletableFuture<String>> calls = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      Message create =
          CreateVolumeRequest.newBuilder().setName("pvc-1").putSecrets("try", "" + i).build();
      calls.add(
          patientCalls.start(
              create,
              () -> {
                Calls.await(mayEnd);
                return "id-" + executions.incrementAndGet();
              }));
    }
    Calls.awaitUntil(() -> heard.joined.get() == 31);
    mayEnd.countDown();
    assertThat(calls).allMatch(call -> get(call).equals("id-1"));
    assertThat(executions).hasValue(1);
  }

  @Test
  void aCallThatJoinsDoesNotHoldItsThread() {
    CompletableFuture<String> first = patientCalls.start(DELETE, held(begun, mayEnd));
    Calls.await(begun);
    CompletableFuture<String> second = patientCalls.here(DELETE, () -> "not run");
    assertThat(second).isNotDone();
    mayEnd.countDown();
    assertThat(get(first)).isEqualTo("held");
    assertThat(get(second)).isEqualTo("held");
  }

  @Test
  void b086TwoIdenticalDetachmentsAreOne() {
    Message detach =
        ControllerUnpublishVolumeRequest.newBuilder()
            .setVolumeId("vol-1")
            .setNodeId("node-1")
            .build();
    CompletableFuture<String> first = hastyCalls.start(detach, held(begun, mayEnd));
    Calls.await(begun);
    CompletableFuture<String> second = hastyCalls.here(detach, () -> "not run");
    mayEnd.countDown();
    assertThat(get(first)).isEqualTo(get(second));
  }

  @Test
  @Proves({"GEN-CONC-002", "GEN-CONC-003"})
  void aCallThatConflictsIsAbortedAfterTheWaitAndNotBefore() {
    CompletableFuture<String> first = hastyCalls.start(STAGE, held(begun, mayEnd));
    Calls.await(begun);
    long start = System.nanoTime();
    CompletableFuture<String> second = hastyCalls.here(DELETE, () -> "not run");
    long waited = System.nanoTime() - start;
    assertThat(waited).isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());
    assertThat(code(second)).isEqualTo(Status.Code.ABORTED);
    assertThat(failure(second))
        .hasMessageMatching(
            "volume vol-1 is busy: NodeStageVolume has been at it for \\d+ ms; repeat the call");
    assertThat(heard.aborted).hasValue(1);
    assertThat(heard.longestWait).isGreaterThanOrEqualTo(Duration.ofMillis(100).toNanos());

    mayEnd.countDown();
    assertThat(get(first)).isEqualTo("held");
    assertThat(get(hastyCalls.here(DELETE, () -> "deleted"))).isEqualTo("deleted");
  }

  @Test
  void aCallThatConflictsRunsAsSoonAsItsLocksAreFree() {
    CompletableFuture<String> holder = patientCalls.start(STAGE, held(begun, mayEnd));
    Calls.await(begun);
    CompletableFuture<String> second = patientCalls.start(DELETE, () -> "deleted");
    Calls.awaitUntil(() -> patient.size() > 2 + 1);
    assertThat(second).isNotDone();
    mayEnd.countDown();
    assertThat(get(holder)).isEqualTo("held");
    assertThat(get(second)).isEqualTo("deleted");
  }

  @Test
  void aCallJoinsOneThatStillWaitsForItsLocks() {
    CompletableFuture<String> holder = patientCalls.start(STAGE, held(begun, mayEnd));
    Calls.await(begun);
    AtomicInteger executions = new AtomicInteger();
    CompletableFuture<String> first =
        patientCalls.start(DELETE, () -> "deleted " + executions.incrementAndGet());
    // The operation, its path and the four facets of the volume.
    Calls.awaitUntil(() -> patient.size() == 2 + 1 + 4);
    CompletableFuture<String> second =
        patientCalls.here(DELETE, () -> "deleted " + executions.incrementAndGet());
    assertThat(heard.joined).hasValue(1);
    mayEnd.countDown();
    assertThat(get(holder)).isEqualTo("held");
    assertThat(get(first)).isEqualTo("deleted 1");
    assertThat(get(second)).isEqualTo("deleted 1");
  }

  /** Else what was given up comes after the call that takes it back, and stays for good. */
  @Test
  void aCallWhoseCallerWentAwayWhileItWaitedForItsLocksIsNotBegun() {
    CompletableFuture<String> holder = patientCalls.start(STAGE, held(begun, mayEnd));
    Calls.await(begun);
    AtomicBoolean gone = new AtomicBoolean();
    AtomicInteger executions = new AtomicInteger();
    CompletableFuture<String> outcome = new CompletableFuture<>();
    Completion<String> leaving =
        new Completion<>() {
          @Override
          public void succeeded(String response) {
            outcome.complete(response);
          }

          @Override
          public void failed(Throwable failure) {
            outcome.completeExceptionally(failure);
          }

          @Override
          public boolean isAbandoned() {
            return gone.get();
          }
        };
    Thread waiting =
        new Thread(
            () ->
                patient.run(
                    OperationKeys.of(DELETE),
                    Fingerprint.of(DELETE),
                    () -> "deleted " + executions.incrementAndGet(),
                    leaving));
    waiting.start();
    Calls.awaitUntil(() -> patient.size() == 2 + 1 + 4);
    gone.set(true);
    mayEnd.countDown();
    assertThat(get(holder)).isEqualTo("held");
    assertThat(code(outcome)).isEqualTo(Status.Code.CANCELLED);
    assertThat(executions).hasValue(0);
    assertThat(get(patientCalls.here(DELETE, () -> "deleted"))).isEqualTo("deleted");
  }

  @Test
  void nobodyJoinsWorkThatIsOverAlsoWhileItsOutcomeIsHandedOut() {
    CountDownLatch mayReply = new CountDownLatch(1);
    Completion<String> slow =
        new Completion<>() {
          @Override
          public void succeeded(String response) {
            begun.countDown();
            Calls.await(mayReply);
          }

          @Override
          public void failed(Throwable failure) {}
        };
    Thread first =
        new Thread(
            () -> hasty.run(OperationKeys.of(DELETE), Fingerprint.of(DELETE), () -> "first", slow));
    first.start();
    Calls.await(begun);
    assertThat(get(hastyCalls.here(DELETE, () -> "second"))).isEqualTo("second");
    mayReply.countDown();
  }

  @Test
  @Proves("GEN-CONC-003")
  void aFailureReachesEverybodyAndTheLocksAreFree() {
    CsiException failure = CsiException.failedPrecondition("in use");
    CompletableFuture<String> first =
        patientCalls.start(
            DELETE,
            () -> {
              begun.countDown();
              Calls.await(mayEnd);
              throw failure;
            });
    Calls.await(begun);
    CompletableFuture<String> second = patientCalls.here(DELETE, () -> "not run");
    mayEnd.countDown();
    assertThat(failure(first)).isSameAs(failure);
    assertThat(failure(second)).isSameAs(failure);
    assertThat(get(patientCalls.here(STAGE, () -> "staged"))).isEqualTo("staged");
  }

  @Test
  @Proves("GEN-CONC-003")
  void b089AnErrorToo() {
    Error error = new StackOverflowError();
    CompletableFuture<String> call =
        patientCalls.here(
            DELETE,
            () -> {
              throw error;
            });
    assertThat(failure(call)).isSameAs(error);
    assertThat(get(patientCalls.here(DELETE, () -> "deleted"))).isEqualTo("deleted");
  }

  @Test
  @SuppressWarnings("NullAway") // a vendor's code may not be checked for null
  void aHandlerWithoutAResponseHasFailed() {
    assertThat(failure(patientCalls.here(DELETE, () -> null))).hasMessageContaining("no response");
  }

  @Test
  void aCompletionThatThrowsHarmsNobodyElse() {
    Completion<String> broken =
        new Completion<>() {
          @Override
          public void succeeded(String response) {
            throw new IllegalStateException("the stream is closed");
          }

          @Override
          public void failed(Throwable failure) {}
        };
    Thread first =
        new Thread(
            () ->
                patient.run(
                    OperationKeys.of(DELETE), Fingerprint.of(DELETE), held(begun, mayEnd), broken));
    first.start();
    Calls.await(begun);
    CompletableFuture<String> second = patientCalls.here(DELETE, () -> "not run");
    mayEnd.countDown();
    assertThat(get(second)).isEqualTo("held");
  }

  @Test
  void aCallInterruptedWhileItWaitsIsUnavailableForAllAndKeepsTheFlag() throws Exception {
    CompletableFuture<String> holder = patientCalls.start(STAGE, held(begun, mayEnd));
    Calls.await(begun);
    CompletableFuture<String> outcome = new CompletableFuture<>();
    CompletableFuture<Boolean> flag = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              patient.run(
                  OperationKeys.of(DELETE),
                  Fingerprint.of(DELETE),
                  () -> "not run",
                  Calls.completing(outcome));
              flag.complete(Thread.currentThread().isInterrupted());
            });
    waiting.start();
    Calls.awaitUntil(() -> patient.size() == 2 + 1 + 4);
    CompletableFuture<String> joined = patientCalls.here(DELETE, () -> "not run");
    waiting.interrupt();
    assertThat(code(outcome)).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(failure(joined)).isSameAs(failure(outcome));
    waiting.join();
    assertThat(flag).isCompletedWithValue(true);
    mayEnd.countDown();
    assertThat(get(holder)).isEqualTo("held");
    assertThat(get(patientCalls.here(DELETE, () -> "deleted"))).isEqualTo("deleted");
  }

  @Test
  void anInterruptDoesNotStopACallWhoseLocksAreFree() {
    Thread.currentThread().interrupt();
    CompletableFuture<String> call = hastyCalls.here(DELETE, () -> "deleted");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(get(call)).isEqualTo("deleted");
  }

  @Test
  void aClosedEngineFinishesWhatRunsAndTakesNothingNewButReads() {
    CompletableFuture<String> running = patientCalls.start(DELETE, held(begun, mayEnd));
    Calls.await(begun);
    patient.close();
    assertThat(code(patientCalls.here(STAGE, () -> "not run"))).isEqualTo(Status.Code.UNAVAILABLE);
    assertThat(get(patientCalls.here(ListVolumesRequest.getDefaultInstance(), () -> "list")))
        .isEqualTo("list");
    mayEnd.countDown();
    assertThat(get(running)).isEqualTo("held");
  }

  @Test
  void aListenerThatThrowsHarmsNobody() {
    OperationListener broken =
        new OperationListener() {
          @Override
          public void waited(String rpc, long nanos) {
            throw new NoSuchMethodError("a library of another version");
          }

          @Override
          public void joined(String rpc) {
            throw new IllegalStateException("no such meter");
          }
        };
    try (Operations engine = new Operations(OperationSettings.defaults().withListener(broken));
        Calls calls = new Calls(engine)) {
      assertThat(get(calls.here(DELETE, () -> "deleted"))).isEqualTo("deleted");
      assertThat(engine.size()).as("locks that are held").isZero();
    }
  }

  private Operations engine(Duration wait) {
    return new Operations(new OperationSettings(wait, heard));
  }

  private static final class Heard implements OperationListener {
    private final AtomicInteger joined = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private volatile long longestWait;

    @Override
    public void joined(String rpc) {
      joined.incrementAndGet();
    }

    @Override
    public void aborted(String rpc) {
      aborted.incrementAndGet();
    }

    @Override
    public synchronized void waited(String rpc, long nanos) {
      longestWait = Math.max(longestWait, nanos);
    }
  }
}
