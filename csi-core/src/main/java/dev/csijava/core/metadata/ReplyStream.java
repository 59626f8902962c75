package dev.csijava.core.metadata;

import dev.csijava.core.CsiException;

/**
 * The messages of a streaming call on their way to the caller. Owned by the framework; used by the
 * handler's thread only, until the handler returns.
 *
 * @param <R> the response message
 * @since 0.1.0
 */
public interface ReplyStream<R> {
  /**
   * Sends one message, blocking while the caller does not take what was sent before.
   *
   * @throws CsiException with CANCELLED if the caller went away; let it pass
   * @since 0.1.0
   */
  void send(R message);
}
