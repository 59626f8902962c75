package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What was measured of one driver.
 *
 * @param endpoint where it is
 * @param name its plugin name
 * @param version its vendor version
 * @param measuredNanos for how long it was measured
 * @param calls by RPC, in the order of the specification
 * @since 0.1.0
 */
public record DriverFigures(
    String endpoint,
    String name,
    String version,
    long measuredNanos,
    Map<CsiRpc, CallFigures> calls) {
  /**
   * Keeps a copy of the map.
   *
   * @since 0.1.0
   */
  public DriverFigures {
    Map<CsiRpc, CallFigures> copy = new EnumMap<>(CsiRpc.class);
    copy.putAll(calls);
    calls = copy;
  }

  /**
   * How many calls of an RPC succeeded in a second.
   *
   * @since 0.1.0
   */
  public double rate(CsiRpc rpc) {
    return measuredNanos == 0
        ? 0
        : of(rpc).map(figures -> figures.calls() * 1e9 / measuredNanos).orElse(0.0);
  }

  /**
   * The figures of an RPC; empty if it was not called.
   *
   * @since 0.1.0
   */
  public Optional<CallFigures> of(CsiRpc rpc) {
    return Optional.ofNullable(calls.get(rpc));
  }

  /** Its calls by latency; empty without any. */
  NavigableMap<Long, Long> buckets(CsiRpc rpc) {
    return of(rpc).map(CallFigures::buckets).orElseGet(TreeMap::new);
  }

  /** The figures of an RPC of which a call succeeded. */
  Optional<CallFigures> answered(CsiRpc rpc) {
    return of(rpc).filter(figures -> figures.calls() > 0);
  }
}
