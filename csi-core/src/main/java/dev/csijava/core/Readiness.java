package dev.csijava.core;

/**
 * Whether the driver can serve, for the Probe RPC.
 *
 * <p>Asked on a thread of its own, one question at a time. While an answer is outstanding Probe
 * repeats the last one, so a check that hangs never hangs Probe. Do not report a slow or
 * unreachable back end as not ready: liveness probes restart the driver for it.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Readiness {
  /**
   * Looks whether the driver is ready. May block.
   *
   * @return false while the driver still starts
   * @throws CsiException FAILED_PRECONDITION if it is unhealthy or something that it needs is
   *     missing
   * @since 0.1.0
   */
  boolean isReady();
}
