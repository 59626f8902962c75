package dev.csijava.core;

import com.google.protobuf.BoolValue;
import dev.csijava.spec.v1.ProbeResponse;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Answers Probe without ever hanging: one check at a time, on a thread of its own; whoever asks
 * while it takes long gets the last answer (rule K15).
 */
final class ProbeAnswers {
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final ProbeResponse READY = response(true);
  private static final ProbeResponse NOT_READY = response(false);

  private final Readiness readiness;
  private final ThreadFactory threads;
  private @Nullable CompletableFuture<Boolean> running;
  private @Nullable CompletableFuture<Boolean> last;

  ProbeAnswers(Readiness readiness) {
    this(readiness, ProbeAnswers::daemon);
  }

  ProbeAnswers(Readiness readiness, ThreadFactory threads) {
    this.readiness = readiness;
    this.threads = threads;
  }

  private static Thread daemon(Runnable check) {
    Thread thread = new Thread(check, "csi-readiness");
    thread.setDaemon(true);
    return thread;
  }

  ProbeResponse answer(CallContext call) {
    CompletableFuture<Boolean> check = join();
    long patience = call.timeLeft().map(left -> left.dividedBy(2)).orElse(PATIENCE).toNanos();
    try {
      return toResponse(check.get(Math.min(patience, PATIENCE.toNanos()), TimeUnit.NANOSECONDS));
    } catch (TimeoutException e) {
      return lastAnswer();
    } catch (ExecutionException e) {
      throw rethrown(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.unavailable("the driver is shutting down", e);
    }
  }

  private synchronized CompletableFuture<Boolean> join() {
    if (running == null || running.isDone()) {
      if (running != null) {
        last = running;
      }
      CompletableFuture<Boolean> check = new CompletableFuture<>();
      threads.newThread(() -> run(check)).start();
      // Only now: a check whose thread could not be started would be waited for for ever.
      running = check;
    }
    return running;
  }

  private void run(CompletableFuture<Boolean> check) {
    try {
      check.complete(readiness.isReady());
    } catch (Throwable t) {
      check.completeExceptionally(t);
    }
  }

  private ProbeResponse lastAnswer() {
    CompletableFuture<Boolean> previous;
    synchronized (this) {
      previous = last;
    }
    if (previous == null) {
      return NOT_READY;
    }
    try {
      return toResponse(previous.getNow(false));
    } catch (CompletionException e) {
      throw rethrown(e);
    }
  }

  private static RuntimeException rethrown(Exception e) {
    Throwable cause = e.getCause();
    if (cause instanceof RuntimeException runtime) {
      return runtime;
    }
    return new IllegalStateException("the readiness check failed", cause);
  }

  private static ProbeResponse toResponse(boolean ready) {
    return ready ? READY : NOT_READY;
  }

  private static ProbeResponse response(boolean ready) {
    return ProbeResponse.newBuilder().setReady(BoolValue.of(ready)).build();
  }
}
