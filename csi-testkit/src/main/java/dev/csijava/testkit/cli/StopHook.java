package dev.csijava.testkit.cli;

import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * When the process is told to end, by the keyboard or by SIGTERM: stops what runs, and waits until
 * it has cleaned up, but not for ever. A second signal changes nothing; the Java machine ends after
 * the first one's work.
 */
final class StopHook implements AutoCloseable {
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(90);

  private final CountDownLatch ended = new CountDownLatch(1);
  private final PrintWriter err;
  private final Duration longestWait;
  private final Consumer<String> stop;
  private final Supplier<List<String>> unremoved;
  private final Thread hook = new Thread(this::end, "stop");

  /** Not installed yet. */
  StopHook(
      PrintWriter err,
      Duration longestWait,
      Consumer<String> stop,
      Supplier<List<String>> unremoved) {
    this.err = err;
    this.longestWait = longestWait;
    this.stop = stop;
    this.unremoved = unremoved;
  }

  /**
   * From now on until it is closed.
   *
   * @param err where people are told
   * @param stop begins the end, and is told why; returns at once
   * @param unremoved what is left to remove, for the case that the time is over
   */
  static StopHook install(
      PrintWriter err, Consumer<String> stop, Supplier<List<String>> unremoved) {
    StopHook hook = new StopHook(err, LONGEST_WAIT, stop, unremoved);
    Runtime.getRuntime().addShutdownHook(hook.hook);
    return hook;
  }

  /** What happens when the process is told to end. */
  void end() {
    err.println("csi: stopped; removing what was made");
    err.flush();
    stop.accept("the process was told to end");
    if (!awaitEnd()) {
      err.println("csi: not everything could be removed in time; what may stay:");
      unremoved.get().forEach(err::println);
      err.flush();
    }
  }

  private boolean awaitEnd() {
    try {
      return ended.await(longestWait.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** All is done, printing included; the process may end. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      return; // the hook runs
    }
  }
}
