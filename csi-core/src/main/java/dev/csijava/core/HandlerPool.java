package dev.csijava.core;

import java.time.Duration;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A bounded pool of platform threads: an idle thread takes a task at once, else a new thread is
 * made up to the limit, else the task waits in a bounded queue. Platform threads, because a hung
 * system call would pin the carrier of a virtual one.
 */
final class HandlerPool implements AutoCloseable {
  private static final Duration IDLE = Duration.ofSeconds(30);

  private final ThreadPoolExecutor executor;

  HandlerPool(String name, int threads, int waiting) {
    this(threads, waiting, daemons(name));
  }

  HandlerPool(int threads, int waiting, ThreadFactory factory) {
    executor =
        new ThreadPoolExecutor(
            0,
            threads,
            IDLE.toMillis(),
            TimeUnit.MILLISECONDS,
            new IdleFirstQueue(),
            factory,
            (task, pool) -> enqueue(task, pool, waiting));
  }

  private static ThreadFactory daemons(String name) {
    AtomicInteger numbers = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, name + '-' + numbers.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Runs the task on a thread of the pool.
   *
   * @throws CsiException UNAVAILABLE, which callers repeat, if too much is waiting already, the
   *     pool is closed or the system gives the process no more threads
   */
  void execute(Runnable task) {
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      throw CsiException.unavailable(
          executor.isShutdown()
              ? "the driver is shutting down; repeat the call"
              : "the driver has too many calls under way; repeat the call",
          e);
    } catch (OutOfMemoryError e) {
      throw CsiException.unavailable(
          "the driver gets no thread for the call ("
              + e.getMessage()
              + "); raise the limits of its container on processes and memory",
          e);
    }
  }

  /** Interrupts nothing; waits until running tasks are done. */
  boolean drain(Duration atMost) throws InterruptedException {
    executor.shutdown();
    return executor.awaitTermination(atMost.toNanos(), TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    executor.shutdownNow();
  }

  private static void enqueue(Runnable task, ThreadPoolExecutor pool, int waiting) {
    if (pool.isShutdown() || pool.getQueue().size() >= waiting) {
      throw new RejectedExecutionException("no thread is free");
    }
    ((IdleFirstQueue) pool.getQueue()).put(task);
  }

  /** Says "full" to the executor unless an idle thread is there, so that it makes a new one. */
  private static final class IdleFirstQueue extends LinkedTransferQueue<Runnable> {
    private static final long serialVersionUID = 1L;

    @Override
    public boolean offer(Runnable task) {
      return tryTransfer(task);
    }
  }
}
