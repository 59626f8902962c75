package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Makes calls on threads of their own and keeps their outcomes. */
final class Calls implements AutoCloseable {
  /** Long enough for a machine that does much else; never waited for when all is well. */
  static final long SECONDS = 240;

  /** What a completion throws is logged and harms nobody, so a second call is counted here. */
  private static final AtomicInteger COMPLETED_TWICE = new AtomicInteger();

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final Operations operations;

  Calls(Operations operations) {
    this.operations = operations;
  }

  CompletableFuture<String> start(Message request, Supplier<String> work) {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    threads.execute(() -> run(request, work, outcome));
    return outcome;
  }

  /** On the calling thread; the future is complete unless the call joined another. */
  CompletableFuture<String> here(Message request, Supplier<String> work) {
    CompletableFuture<String> outcome = new CompletableFuture<>();
    run(request, work, outcome);
    return outcome;
  }

  private void run(Message request, Supplier<String> work, CompletableFuture<String> outcome) {
    operations.run(OperationKeys.of(request), Fingerprint.of(request), work, completing(outcome));
  }

  static Completion<String> completing(CompletableFuture<String> outcome) {
    return new Completion<>() {
      @Override
      public void succeeded(String response) {
        once(outcome.complete(response));
      }

      @Override
      public void failed(Throwable failure) {
        once(outcome.completeExceptionally(failure));
      }

      private void once(boolean first) {
        if (!first) {
          COMPLETED_TWICE.incrementAndGet();
        }
      }
    };
  }

  static String get(CompletableFuture<String> outcome) {
    try {
      return outcome.get(SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new CompletionException(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no outcome", e);
    }
  }

  static Throwable failure(CompletableFuture<String> outcome) {
    try {
      throw new AssertionError("succeeded: " + outcome.get(SECONDS, TimeUnit.SECONDS));
    } catch (ExecutionException e) {
      return Objects.requireNonNull(e.getCause());
    } catch (InterruptedException | TimeoutException e) {
      throw new AssertionError("no outcome", e);
    }
  }

  static Status.Code code(CompletableFuture<String> outcome) {
    return ((CsiException) failure(outcome)).code();
  }

  /** Work that tells that it runs and then waits until it may end. */
  static Supplier<String> held(CountDownLatch begun, CountDownLatch mayEnd) {
    return () -> {
      begun.countDown();
      await(mayEnd);
      return "held";
    };
  }

  static void await(CountDownLatch latch) {
    try {
      if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("waited in vain");
      }
    } catch (InterruptedException e) {
      throw new AssertionError("interrupted", e);
    }
  }

  static void awaitUntil(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("waited in vain");
      }
      LockSupport.parkNanos(500_000);
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
    assertThat(COMPLETED_TWICE).as("calls that were answered twice").hasValue(0);
  }
}
