package dev.csijava.hostpath.options;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/**
 * Sets the JDK's log up: to standard error, a line a message. The launchers name it as {@code
 * java.util.logging.config.class}. A file that {@code java.util.logging.config.file} names is read
 * instead, as the JDK itself would. The JDK's own configuration would do, but reading it and its
 * pattern for lines takes a tenth of a start.
 */
public final class LogSetup {
  private static final String FILE = "java.util.logging.config.file";

  /**
   * Called by the JDK when something is logged for the first time.
   *
   * @throws IOException if the file can't be read
   */
  public LogSetup() throws IOException {
    String file = System.getProperty(FILE);
    if (file != null) {
      try (InputStream properties = new FileInputStream(file)) {
        LogManager.getLogManager().readConfiguration(properties);
      }
      return;
    }
    Logger.getLogger("").addHandler(new StandardErrorHandler());
  }
}
