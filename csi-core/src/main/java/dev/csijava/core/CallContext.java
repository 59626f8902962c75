package dev.csijava.core;

import java.time.Duration;
import java.util.Optional;

/**
 * What a handler may know about the call it answers, besides the request.
 *
 * <p>Safe for use by several threads. A caller that goes away does not stop the work: finish it or
 * roll it back, then return; the caller's retry joins a call that is still running (idea 3 of the
 * architecture). Look at {@link #isCancelled} only to stop work that changes nothing.
 *
 * @since 0.1.0
 */
public interface CallContext {
  /**
   * A short id, unique in this process, that every log line of the call carries.
   *
   * @since 0.1.0
   */
  String id();

  /**
   * The RPC's name as the specification has it, for example {@code NodeStageVolume}.
   *
   * @since 0.1.0
   */
  String rpc();

  /**
   * How long the caller still waits, never negative; empty when it named no deadline. Of work that
   * other calls have joined it is the first caller's time.
   *
   * @since 0.1.0
   */
  Optional<Duration> timeLeft();

  /**
   * Whether the caller has gone away or its deadline has passed. Work that other calls have joined
   * is cancelled only while all their callers are gone; when a retry joins, it is not cancelled any
   * more.
   *
   * @since 0.1.0
   */
  boolean isCancelled();

  /**
   * Who calls, for the log: the peer's address as the transport names it. Of a Unix socket that is
   * the path of the server's socket or empty.
   *
   * @since 0.1.0
   */
  String peer();
}
