package dev.csijava.core;

import io.grpc.Status;
import java.time.Duration;

/**
 * Hears of every call that carries a request, for metrics. Methods are called on the threads that
 * serve calls, several at once: return at once and throw nothing; what is thrown is logged and
 * ignored.
 *
 * @since 0.1.0
 */
public interface CallListener {
  /**
   * A call has arrived.
   *
   * @since 0.1.0
   */
  void started(CallContext call);

  /**
   * A call has been answered, or its caller has gone away and the work is finished.
   *
   * @param code what the caller gets
   * @param elapsed since {@link #started}
   * @since 0.1.0
   */
  void finished(CallContext call, Status.Code code, Duration elapsed);
}
