package dev.csijava.hostpath.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogLineTest {
  private static final Instant NOON = Instant.parse("2026-02-03T12:04:05.006789Z");

  @ParameterizedTest
  @CsvSource({
    "Z, 2026-02-03T12:04:05.006+0000",
    "Europe/Berlin, 2026-02-03T13:04:05.006+0100",
    "Asia/Kolkata, 2026-02-03T17:34:05.006+0530",
    "America/St_Johns, 2026-02-03T08:34:05.006-0330"
  })
  void beginsWithTheLocalTime(String zone, String time) {
    assertThat(line(ZoneId.of(zone), NOON, null)).startsWith(time + " WARNING ");
  }

  @Test
  void isOneLine() {
    assertThat(line(ZoneOffset.UTC, Instant.parse("0999-12-31T23:59:59.999Z"), null))
        .isEqualTo("0999-12-31T23:59:59.999+0000 WARNING dev.csijava.call 100% {0} of it\n");
  }

  @Test
  void showsWhatWasThrownBelow() {
    assertThat(line(ZoneOffset.UTC, NOON, new IllegalStateException("why")))
        .contains(
            " 100% {0} of it\njava.lang.IllegalStateException: why\n\tat " + getClass().getName())
        .endsWith("\n")
        .doesNotContain("\n\n");
  }

  private static String line(ZoneId zone, Instant instant, @Nullable Throwable thrown) {
    LogRecord message = new LogRecord(Level.WARNING, "100% {0} of it");
    message.setLoggerName("dev.csijava.call");
    message.setInstant(instant);
    message.setThrown(thrown);
    return new LogLine(zone).format(message);
  }
}
