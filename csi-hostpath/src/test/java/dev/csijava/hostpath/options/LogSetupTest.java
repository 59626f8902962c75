package dev.csijava.hostpath.options;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.testing.JavaProcess;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log's set-up holds for a whole process, so each test has its own. */
class LogSetupTest {
  private static final String CLASS =
      "-Djava.util.logging.config.class=" + LogSetup.class.getName();
  private static final String TIME =
      "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4} ";

  @Test
  void writesALineAMessageFromInfoOn() throws Exception {
    assertThat(logged()).matches(TIME + "INFO dev.csijava.some said\n");
  }

  @Test
  void readsTheFileThatAnOperatorNames(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("logging.properties");
    Files.writeString(
        file,
        """
        handlers = java.util.logging.ConsoleHandler
        java.util.logging.ConsoleHandler.level = ALL
        java.util.logging.SimpleFormatter.format = %4$s:%5$s%n
        .level = FINE
        """);
    assertThat(logged("-Djava.util.logging.config.file=" + file))
        .isEqualTo("INFO:said\nFINE:whispered\n");
  }

  @Test
  void saysWhatElseIsLogged() throws Exception {
    assertThat(logged("-Dverbosity=5"))
        .matches(
            TIME + "INFO dev.csijava.some said\n" + TIME + "FINE dev.csijava.some whispered\n");
  }

  private static String logged(String... options) throws IOException, InterruptedException {
    List<String> all = new ArrayList<>(List.of(options));
    all.add(CLASS);
    Process process = JavaProcess.of(all, Logging.class.getName()).start();
    process.getOutputStream().close();
    String log = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(log).isZero();
    return log;
  }

  /** Logs a message of each kind. */
  static final class Logging {
    private Logging() {}

    public static void main(String[] arguments) {
      PlainFlags flags = new PlainFlags();
      LogOptions options = new LogOptions();
      options.register(flags);
      assertThat(flags.read("--v=" + Integer.getInteger("verbosity", 0))).isTrue();
      options.apply();
      Logger logger = Logger.getLogger("dev.csijava.some");
      logger.info("said");
      logger.fine("whispered");
      logger.finest("thought");
    }
  }
}
