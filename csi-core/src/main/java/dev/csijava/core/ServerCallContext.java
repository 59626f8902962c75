package dev.csijava.core;

import io.grpc.Attributes;
import io.grpc.Deadline;
import io.grpc.Grpc;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The context of a call that came over the wire. */
final class ServerCallContext implements CallContext {
  private static final AtomicLong NUMBERS = new AtomicLong();

  private final long number = NUMBERS.incrementAndGet();
  private final Rpc rpc;
  private final @Nullable Deadline deadline;
  private final Attributes attributes;
  private volatile boolean cancelled;

  ServerCallContext(Rpc rpc, @Nullable Deadline deadline, Attributes attributes) {
    this.rpc = rpc;
    this.deadline = deadline;
    this.attributes = attributes;
  }

  @Override
  public String id() {
    return Long.toString(number, Character.MAX_RADIX);
  }

  @Override
  public String rpc() {
    return rpc.title();
  }

  @Override
  public Optional<Duration> timeLeft() {
    return Optional.ofNullable(deadline)
        .map(d -> Duration.ofNanos(Math.max(0, d.timeRemaining(TimeUnit.NANOSECONDS))));
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public String peer() {
    SocketAddress address = attributes.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    return address == null ? "" : address.toString();
  }

  void cancel() {
    cancelled = true;
  }
}
