package dev.csijava.hostpath;

import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Closes what serves when the Java process ends, as it does on SIGTERM and SIGINT. It is there
 * before anything starts: what is still being started when the process is told to end is closed
 * once it is up, so that no socket stays.
 */
final class ExitHook {
  private @Nullable AutoCloseable started;

  private ExitHook() {}

  /**
   * @throws IOException from starting, or if the process ends already; nothing was started then
   */
  static <T extends AutoCloseable> T start(Starter<T> starter) throws IOException {
    ExitHook hook = new ExitHook();
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(hook::close, "csi-hostpath-shutdown"));
    } catch (IllegalStateException e) {
      throw new IOException("the process was told to end", e);
    }
    return hook.run(starter);
  }

  private synchronized <T extends AutoCloseable> T run(Starter<T> starter) throws IOException {
    T result = starter.start();
    started = result;
    return result;
  }

  private synchronized void close() {
    if (started != null) {
      try {
        started.close();
      } catch (Exception e) {
        LoggerFactory.getLogger(ExitHook.class).warn("not everything could be closed", e);
      }
    }
  }

  /** What starts it. */
  @FunctionalInterface
  interface Starter<T> {
    T start() throws IOException;
  }
}
