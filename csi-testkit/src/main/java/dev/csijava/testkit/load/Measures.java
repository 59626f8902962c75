package dev.csijava.testkit.load;

import com.google.protobuf.Message;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.client.SafeText;
import io.grpc.Channel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.HdrHistogram.Histogram;

/** Calls a driver, and while it is told to takes the time. Safe for any thread. */
final class Measures {
  private static final int DIGITS = 3;

  private final Channel channel;
  private final Map<CsiRpc, Figures> figures = new EnumMap<>(CsiRpc.class);
  private volatile boolean measuring;

  Measures(Channel channel) {
    this.channel = channel;
  }

  void measure(boolean on) {
    measuring = on;
  }

  /**
   * Calls.
   *
   * @throws StatusRuntimeException if the driver refuses
   */
  Message call(CsiRpc rpc, Message request) {
    long began = System.nanoTime();
    try {
      Message answer = rpc.call(channel, request).get(0);
      long took = System.nanoTime() - began;
      if (measuring) {
        record(rpc, took);
      }
      return answer;
    } catch (StatusRuntimeException e) {
      if (measuring) {
        failed(rpc, e.getStatus(), request);
      }
      throw e;
    }
  }

  private synchronized void record(CsiRpc rpc, long nanos) {
    of(rpc).times.recordValue(nanos);
  }

  private synchronized void failed(CsiRpc rpc, Status status, Message request) {
    Figures all = of(rpc);
    all.failures.merge(status.getCode(), 1L, Long::sum);
    if (all.firstFailure.isEmpty()) {
      String sentence = Objects.requireNonNullElse(status.getDescription(), "");
      all.firstFailure = status.getCode() + ": " + SafeText.strike(sentence, request);
    }
  }

  private Figures of(CsiRpc rpc) {
    return figures.computeIfAbsent(rpc, key -> new Figures());
  }

  /** What was measured so far, in the order of the specification. */
  synchronized Map<CsiRpc, CallFigures> result() {
    Map<CsiRpc, CallFigures> copy = new EnumMap<>(CsiRpc.class);
    figures.forEach(
        (rpc, all) ->
            copy.put(rpc, new CallFigures(all.times.copy(), all.failures, all.firstFailure)));
    return copy;
  }

  private static final class Figures {
    private final Histogram times = new Histogram(DIGITS);
    private final Map<Status.Code, Long> failures = new EnumMap<>(Status.Code.class);
    private String firstFailure = "";
  }
}
