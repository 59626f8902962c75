package dev.csijava.core;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Closes a server when the Java process ends. It is there before the server begins to start: a
 * process that is told to end meanwhile lets it start to the end and closes it then, so that its
 * socket does not stay.
 */
final class ExitHook {
  private @Nullable CsiServer server;

  private ExitHook() {}

  /**
   * @throws IOException from starting
   * @throws IllegalStateException if the process ends already; nothing was started
   */
  static CsiServer start(Starter starter) throws IOException {
    ExitHook hook = new ExitHook();
    Runtime.getRuntime().addShutdownHook(new Thread(hook::close, "csi-shutdown"));
    return hook.run(starter);
  }

  private synchronized CsiServer run(Starter starter) throws IOException {
    CsiServer started = starter.start();
    server = started;
    return started;
  }

  private synchronized void close() {
    if (server != null) {
      server.close();
    }
  }

  /** What starts the server. */
  @FunctionalInterface
  interface Starter {
    CsiServer start() throws IOException;
  }
}
