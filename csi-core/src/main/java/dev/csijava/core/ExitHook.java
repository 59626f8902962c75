package dev.csijava.core;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Closes a server when the Java process ends. It is there before the server begins to start: a
 * process that is told to end while the socket is made lets that come to its end and closes it
 * then, so that no socket stays. It waits for nothing that is done before, which may hang, or end
 * the process itself and wait for this hook.
 */
final class ExitHook {
  private final Thread thread = new Thread(this::close, "csi-shutdown");
  private boolean ends;
  private @Nullable CsiServer server;

  private ExitHook() {}

  /**
   * Runs the one and then starts the other, which is closed when the process ends.
   *
   * @throws IOException from starting
   * @throws IllegalStateException if the process ends; nothing was started
   */
  static CsiServer start(Runnable before, Starter starter) throws IOException {
    ExitHook hook = new ExitHook();
    Runtime.getRuntime().addShutdownHook(hook.thread);
    try {
      before.run();
      CsiServer started = hook.run(starter);
      started.whenClosed(hook::remove);
      return started;
    } catch (IOException | RuntimeException e) {
      hook.remove();
      throw e;
    }
  }

  private synchronized CsiServer run(Starter starter) throws IOException {
    if (ends) {
      throw new IllegalStateException("the process ends; no server is started any more");
    }
    CsiServer started = starter.start();
    server = started;
    return started;
  }

  private synchronized void close() {
    ends = true;
    if (server != null) {
      server.close();
    }
  }

  /** The Java process would keep it, and the server with it, to its end. */
  private void remove() {
    try {
      Runtime.getRuntime().removeShutdownHook(thread);
    } catch (IllegalStateException e) {
      // The process ends, and with it all that it keeps.
    }
  }

  /** What starts the server. */
  @FunctionalInterface
  interface Starter {
    CsiServer start() throws IOException;
  }
}
