package dev.csijava.testkit.cli;

import java.io.PrintWriter;
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
  private static final int LONGEST_WAIT_SECONDS = 90;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private StopHook(PrintWriter err, Consumer<String> stop, Supplier<List<String>> unremoved) {
    this.hook =
        new Thread(
            () -> {
              err.println("csi: stopped; removing what was made");
              err.flush();
              stop.accept("the process was told to end");
              if (!awaitEnd()) {
                err.println("csi: not everything could be removed in time; what may stay:");
                unremoved.get().forEach(err::println);
                err.flush();
              }
            },
            "stop");
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
    StopHook hook = new StopHook(err, stop, unremoved);
    Runtime.getRuntime().addShutdownHook(hook.hook);
    return hook;
  }

  private boolean awaitEnd() {
    try {
      return ended.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS);
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
