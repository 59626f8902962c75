package dev.csijava.hostpath.options;

import java.util.logging.LogRecord;
import java.util.logging.StreamHandler;

/** Writes each message to standard error at once. */
final class StandardErrorHandler extends StreamHandler {
  StandardErrorHandler() {
    super(System.err, new LogLine());
  }

  @Override
  public synchronized void publish(LogRecord message) {
    super.publish(message);
    flush();
  }

  /** Leaves standard error open: others write to it too. */
  @Override
  public synchronized void close() {
    flush();
  }
}
