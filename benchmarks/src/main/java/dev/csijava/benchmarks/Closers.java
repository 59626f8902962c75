package dev.csijava.benchmarks;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;

/** What is to be closed, the last first. */
final class Closers implements AutoCloseable {
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  void push(AutoCloseable closer) {
    closers.push(closer);
  }

  @Override
  public void close() throws IOException {
    while (!closers.isEmpty()) {
      try {
        closers.pop().close();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException | RuntimeException e) {
        throw e;
      } catch (Exception e) { // what an AutoCloseable may throw
        throw new IOException(e);
      }
    }
  }
}
