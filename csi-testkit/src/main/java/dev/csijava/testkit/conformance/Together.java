package dev.csijava.testkit.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** Makes calls at one moment. */
final class Together {
  private Together() {}

  static <T> List<Outcome<T>> run(List<Supplier<T>> calls) {
    CountDownLatch ready = new CountDownLatch(calls.size());
    ExecutorService threads = Executors.newFixedThreadPool(calls.size());
    try {
      List<Future<Outcome<T>>> running = new ArrayList<>();
      for (Supplier<T> call : calls) {
        Callable<Outcome<T>> task =
            () -> {
              ready.countDown();
              ready.await();
              return Outcome.of(call);
            };
        running.add(threads.submit(task));
      }
      List<Outcome<T>> outcomes = new ArrayList<>();
      for (Future<Outcome<T>> one : running) {
        outcomes.add(one.get());
      }
      return outcomes;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CaseStopped(CaseStopped.Kind.SKIPPED, "the run was interrupted");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof CaseStopped stopped) {
        throw stopped;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      threads.shutdownNow();
    }
  }
}
