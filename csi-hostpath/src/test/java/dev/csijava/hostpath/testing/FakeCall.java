package dev.csijava.hostpath.testing;

import dev.csijava.core.CallContext;
import java.time.Duration;
import java.util.Optional;

/** A call without a wire. */
public record FakeCall(boolean isCancelled) implements CallContext {
  /** One whose caller waits. */
  public FakeCall() {
    this(false);
  }

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
  public String peer() {
    return "";
  }
}
