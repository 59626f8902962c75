package dev.csijava.testkit.fake;

import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Keeps the server's library from printing a stack trace for every request that is no message. */
final class QuietServer implements BeforeAllCallback {
  // Held here, since the logging of the JDK forgets loggers that nobody holds.
  private static final Logger LOGGER = Logger.getLogger("io.grpc.internal.SerializingExecutor");

  @Override
  public void beforeAll(ExtensionContext context) {
    LOGGER.setLevel(Level.OFF);
  }
}
