package dev.csijava.hostpath.options;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.concurrent.TimeUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/**
 * A message as one line: local time to the millisecond with its offset, level, logger, message; and
 * a stack trace below it where there is one. Built by hand, since each call writes such a line and
 * a pattern costs as much as the rest of it.
 */
final class LogLine extends Formatter {
  private static final int LENGTH = 160;
  private static final int SECONDS_OF_MINUTE = 60;
  private static final int MINUTES_OF_HOUR = 60;

  private final ZoneId zone;

  LogLine() {
    this(ZoneId.systemDefault());
  }

  LogLine(ZoneId zone) {
    this.zone = zone;
  }

  @Override
  public String format(LogRecord message) {
    StringBuilder line = new StringBuilder(LENGTH);
    time(line, message.getInstant());
    line.append(' ').append(message.getLevel().getName());
    line.append(' ').append(message.getLoggerName());
    line.append(' ').append(formatMessage(message)).append('\n');
    Throwable thrown = message.getThrown();
    if (thrown != null) {
      StringWriter trace = new StringWriter();
      thrown.printStackTrace(new PrintWriter(trace, true));
      line.append(trace.getBuffer());
    }
    return line.toString();
  }

  private void time(StringBuilder line, Instant instant) {
    ZonedDateTime time = instant.atZone(zone);
    digits(line, time.getYear(), 4).append('-');
    digits(line, time.getMonthValue(), 2).append('-');
    digits(line, time.getDayOfMonth(), 2).append('T');
    digits(line, time.getHour(), 2).append(':');
    digits(line, time.getMinute(), 2).append(':');
    digits(line, time.getSecond(), 2).append('.');
    digits(line, (int) TimeUnit.NANOSECONDS.toMillis(time.getNano()), 3);
    offset(line, time.getOffset());
  }

  private static void offset(StringBuilder line, ZoneOffset offset) {
    int minutes = offset.getTotalSeconds() / SECONDS_OF_MINUTE;
    line.append(minutes < 0 ? '-' : '+');
    digits(line, Math.abs(minutes) / MINUTES_OF_HOUR, 2);
    digits(line, Math.abs(minutes) % MINUTES_OF_HOUR, 2);
  }

  private static StringBuilder digits(StringBuilder line, int value, int width) {
    String digits = Integer.toString(value);
    for (int i = digits.length(); i < width; i++) {
      line.append('0');
    }
    return line.append(digits);
  }
}
