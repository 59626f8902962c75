package dev.csijava.core.mount;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Reads a program's output to its end, so that the program never waits for a reader, and keeps the
 * beginning. Owns a daemon thread, which ends with the last process that holds the pipe.
 */
final class OutputDrain {
  private final InputStream from;
  private final int limit;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final CountDownLatch end = new CountDownLatch(1);

  private OutputDrain(InputStream from, int limit) {
    this.from = from;
    this.limit = limit;
  }

  static OutputDrain start(InputStream from, int limit) {
    OutputDrain drain = new OutputDrain(from, limit);
    Thread thread = new Thread(drain::drain, "csi-program-output");
    thread.setDaemon(true);
    thread.start();
    return drain;
  }

  boolean awaitEnd(long nanos) throws InterruptedException {
    return end.await(nanos, TimeUnit.NANOSECONDS);
  }

  String text() {
    synchronized (kept) {
      return kept.toString(StandardCharsets.UTF_8);
    }
  }

  private void drain() {
    byte[] buffer = new byte[4096];
    try (from) {
      for (int n = from.read(buffer); n >= 0; n = from.read(buffer)) {
        synchronized (kept) {
          kept.write(buffer, 0, Math.min(n, limit - kept.size()));
        }
      }
    } catch (IOException e) {
      // The pipe was closed under us because the program was killed: what has come is kept.
    } finally {
      end.countDown();
    }
  }
}
