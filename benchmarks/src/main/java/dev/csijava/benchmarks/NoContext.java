package dev.csijava.benchmarks;

import dev.csijava.core.CallContext;
import java.time.Duration;
import java.util.Optional;

/** The context of a call that came from nowhere. */
final class NoContext implements CallContext {
  @Override
  public String id() {
    return "0";
  }

  @Override
  public String rpc() {
    return "";
  }

  @Override
  public Optional<Duration> timeLeft() {
    return Optional.empty();
  }

  @Override
  public boolean isCancelled() {
    return false;
  }

  @Override
  public String peer() {
    return "";
  }
}
