package dev.csijava.testkit.load;

import io.grpc.Status;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * How long the calls of one RPC took, and how many failed. Times are in nanoseconds, exact to three
 * digits; they are those of the calls that succeeded.
 *
 * @since 0.1.0
 */
public final class CallFigures {
  private static final long[] STEPS = {1, 2, 5};

  private final Histogram times;
  private final Map<Status.Code, Long> failures;
  private final String firstFailure;

  CallFigures(Histogram times, Map<Status.Code, Long> failures, String firstFailure) {
    this.times = times;
    this.failures = failures.isEmpty() ? Map.of() : new EnumMap<>(failures);
    this.firstFailure = firstFailure;
  }

  /**
   * How many calls succeeded.
   *
   * @since 0.1.0
   */
  public long calls() {
    return times.getTotalCount();
  }

  /**
   * How many calls failed, by code.
   *
   * @since 0.1.0
   */
  public Map<Status.Code, Long> failures() {
    return Map.copyOf(failures);
  }

  /**
   * What the first failure said; empty without one.
   *
   * @since 0.1.0
   */
  public String firstFailure() {
    return firstFailure;
  }

  long failed() {
    return failures.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * The mean.
   *
   * @since 0.1.0
   */
  public double mean() {
    return times.getMean();
  }

  /**
   * The time that so many calls in a hundred kept to; the longest for 100.
   *
   * @since 0.1.0
   */
  public long percentile(double percent) {
    return times.getValueAtPercentile(percent);
  }

  /**
   * How many calls took less than a bound and not less than the one before it; the bounds go 1, 2,
   * 5, 10 and so on, from the fastest call to the slowest.
   *
   * @since 0.1.0
   */
  public NavigableMap<Long, Long> buckets() {
    NavigableMap<Long, Long> buckets = new TreeMap<>();
    for (HistogramIterationValue value : times.recordedValues()) {
      buckets.merge(
          bound(value.getValueIteratedTo()), value.getCountAtValueIteratedTo(), Long::sum);
    }
    if (!buckets.isEmpty()) {
      for (long bound = buckets.firstKey(); bound < buckets.lastKey(); bound = bound(bound)) {
        buckets.putIfAbsent(bound, 0L);
      }
    }
    return buckets;
  }

  /** The first bound above a time. */
  static long bound(long nanos) {
    for (long power = 1; ; power *= 10) {
      for (long step : STEPS) {
        if (nanos < step * power) {
          return step * power;
        }
      }
    }
  }
}
