package dev.csijava.core.operation;

/**
 * Hears what the operation engine does, for metrics. Methods are called on the calls' threads, must
 * be safe for use by several of them and must not block; what they throw is logged.
 *
 * @since 0.1.0
 */
public interface OperationListener {
  /**
   * Hears everything and does nothing.
   *
   * @since 0.1.0
   */
  OperationListener NONE = new OperationListener() {};

  /**
   * A call joined an identical one that was running already.
   *
   * @param rpc the RPC's name, for example {@code NodeStageVolume}
   * @since 0.1.0
   */
  default void joined(String rpc) {}

  /**
   * A call was given up with ABORTED since what it needs was busy for too long.
   *
   * @param rpc the RPC's name
   * @since 0.1.0
   */
  default void aborted(String rpc) {}

  /**
   * A call has its locks, or has given up waiting for them.
   *
   * @param rpc the RPC's name
   * @param nanos how long it waited, in nanoseconds
   * @since 0.1.0
   */
  default void waited(String rpc, long nanos) {}
}
