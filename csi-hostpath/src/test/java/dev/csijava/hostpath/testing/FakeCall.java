package dev.csijava.hostpath.testing;

import dev.csijava.core.CallContext;
import java.time.Duration;
import java.util.Optional;

/** A call without a wire. */
public record FakeCall() implements CallContext {
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
