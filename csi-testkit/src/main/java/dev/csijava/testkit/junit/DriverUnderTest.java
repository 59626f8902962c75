package dev.csijava.testkit.junit;

import dev.csijava.testkit.conformance.Settings;
import java.io.IOException;

/**
 * A driver that serves while the tests run.
 *
 * @since 0.1.0
 */
public interface DriverUnderTest extends AutoCloseable {
  /**
   * Where it is, and all that the kit needs to know about it.
   *
   * @since 0.1.0
   */
  Settings settings();

  /**
   * Ends it after the last test. Does nothing for a driver that runs anyhow.
   *
   * @since 0.1.0
   */
  @Override
  default void close() throws IOException {}

  /**
   * A driver that runs somewhere already.
   *
   * @since 0.1.0
   */
  static DriverUnderTest at(Settings settings) {
    return () -> settings;
  }
}
