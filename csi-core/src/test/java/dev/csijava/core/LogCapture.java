package dev.csijava.core;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What is logged below a name while this is open, stack traces included. */
final class LogCapture extends Handler implements AutoCloseable {
  private final Logger logger;
  private final Level before;
  private final List<LogRecord> records = new CopyOnWriteArrayList<>();

  private LogCapture(Logger logger, Level level) {
    this.logger = logger;
    this.before = logger.getLevel();
    setLevel(Level.ALL);
    logger.setLevel(level);
    logger.addHandler(this);
  }

  static LogCapture at(String name, Level level) {
    return new LogCapture(Logger.getLogger(name), level);
  }

  List<String> messages() {
    return records.stream().map(LogRecord::getMessage).toList();
  }

  List<LogRecord> records() {
    return records;
  }

  /** Everything that a log file would hold. */
  String text() {
    StringBuilder all = new StringBuilder();
    for (LogRecord record : records) {
      all.append(record.getMessage()).append('\n');
      if (record.getThrown() != null) {
        StringWriter trace = new StringWriter();
        record.getThrown().printStackTrace(new PrintWriter(trace));
        all.append(trace);
      }
    }
    return all.toString();
  }

  @Override
  public void publish(LogRecord record) {
    records.add(record);
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
    logger.setLevel(before);
  }
}
