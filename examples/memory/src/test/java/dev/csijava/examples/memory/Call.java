package dev.csijava.examples.memory;

import dev.csijava.core.CallContext;
import java.time.Duration;
import java.util.Optional;

/** A call that nobody made. */
enum Call implements CallContext {
  NONE;

  @Override
  public String id() {
    return "test";
  }

  @Override
  public String rpc() {
    return "Test";
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
