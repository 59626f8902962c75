package dev.csijava.core;

import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the listeners when a call starts and how it ends. */
final class MetricsStage implements Stage {
  private static final Logger LOG = LoggerFactory.getLogger(MetricsStage.class);

  private final List<CallListener> listeners;
  private final Stage next;

  MetricsStage(List<CallListener> listeners, Stage next) {
    this.listeners = List.copyOf(listeners);
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    if (listeners.isEmpty()) {
      next.handle(call);
      return;
    }
    long start = System.nanoTime();
    for (CallListener listener : listeners) {
      quietly(() -> listener.started(call.context()));
    }
    next.handle(
        call.replyingTo(
            new ForwardingReply(call.reply()) {
              @Override
              public void end() {
                super.end();
                finished(call, Status.Code.OK, start);
              }

              @Override
              public void fail(Throwable failure) {
                super.fail(failure);
                finished(call, Status.fromThrowable(failure).getCode(), start);
              }
            }));
  }

  private void finished(Call call, Status.Code code, long start) {
    Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
    for (CallListener listener : listeners) {
      quietly(() -> listener.finished(call.context(), code, elapsed));
    }
  }

  private static void quietly(Runnable notification) {
    try {
      notification.run();
    } catch (Throwable e) { // an Error too: a library that does not fit fails with one
      LOG.warn("a call listener failed; the call goes on", e);
    }
  }
}
