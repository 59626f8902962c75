package dev.csijava.core;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * The context of work that other calls may join: it is cancelled only while all of them are gone.
 *
 * @param first the call that began the work
 * @param abandoned whether nobody waits for it
 */
record JoinedCallContext(CallContext first, BooleanSupplier abandoned) implements CallContext {
  @Override
  public String id() {
    return first.id();
  }

  @Override
  public String rpc() {
    return first.rpc();
  }

  @Override
  public Optional<Duration> timeLeft() {
    return first.timeLeft();
  }

  @Override
  public boolean isCancelled() {
    return abandoned.getAsBoolean();
  }

  @Override
  public String peer() {
    return first.peer();
  }
}
