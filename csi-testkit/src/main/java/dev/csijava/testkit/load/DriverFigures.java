package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import java.util.EnumMap;
import java.util.Map;

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
  /** Keeps a copy of the map. */
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
    CallFigures figures = calls.get(rpc);
    return figures == null || measuredNanos == 0 ? 0 : figures.calls() * 1e9 / measuredNanos;
  }
}
