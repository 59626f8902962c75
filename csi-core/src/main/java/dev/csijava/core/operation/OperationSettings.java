package dev.csijava.core.operation;

import java.time.Duration;
import java.util.Objects;

/**
 * How an {@link Operations} engine behaves.
 *
 * @param lockWait how long a call waits for what another one holds before it gets ABORTED; zero
 *     gives up at once. Its thread is held meanwhile, so keep it short
 * @param listener hears what the engine does
 * @since 0.1.0
 */
public record OperationSettings(Duration lockWait, OperationListener listener) {
  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException if the wait is negative or longer than an hour
   * @since 0.1.0
   */
  public OperationSettings {
    Objects.requireNonNull(listener, "listener");
    if (lockWait.isNegative() || lockWait.compareTo(Duration.ofHours(1)) > 0) {
      throw new IllegalArgumentException(
          "the wait for locks must lie between 0 and an hour: " + lockWait);
    }
  }

  /**
   * Half a second, and nobody listens.
   *
   * @since 0.1.0
   */
  public static OperationSettings defaults() {
    return new OperationSettings(Duration.ofMillis(500), OperationListener.NONE);
  }

  /**
   * The same with another wait.
   *
   * @throws IllegalArgumentException if it is negative or longer than an hour
   * @since 0.1.0
   */
  public OperationSettings withLockWait(Duration wait) {
    return new OperationSettings(wait, listener);
  }

  /**
   * The same with another listener.
   *
   * @since 0.1.0
   */
  public OperationSettings withListener(OperationListener other) {
    return new OperationSettings(lockWait, other);
  }
}
