package dev.csijava.testkit.cli;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** When the process is told to end: stops what runs, and waits until it has cleaned up. */
final class StopHook implements AutoCloseable {
  private static final int LONGEST_WAIT_SECONDS = 90;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook;

  private StopHook(Consumer<String> stop) {
    this.hook =
        new Thread(
            () -> {
              stop.accept("the process was told to end");
              try {
                if (!ended.await(LONGEST_WAIT_SECONDS, TimeUnit.SECONDS)) {
                  System.err.println("csi: not everything could be removed in time");
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            "stop");
  }

  static StopHook install(Consumer<String> stop) {
    StopHook hook = new StopHook(stop);
    Runtime.getRuntime().addShutdownHook(hook.hook);
    return hook;
  }

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
