package dev.csijava.testkit.load;

import dev.csijava.testkit.client.CsiRpc;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What a run found.
 *
 * @param settings what was asked for
 * @param began when
 * @param drivers the driver, or the two in the order in which they were given
 * @param leftovers what could not be removed, for people
 * @param broken why the run ended early; empty if it did not
 * @since 0.1.0
 */
public record LoadResult(
    LoadSettings settings,
    Instant began,
    List<DriverFigures> drivers,
    List<String> leftovers,
    String broken) {
  /**
   * Keeps copies of the lists.
   *
   * @since 0.1.0
   */
  public LoadResult {
    drivers = List.copyOf(drivers);
    leftovers = List.copyOf(leftovers);
  }

  /**
   * Whether all calls succeeded, all that was made is gone, and the run came to its end.
   *
   * @since 0.1.0
   */
  public boolean clean() {
    return broken.isEmpty()
        && leftovers.isEmpty()
        && drivers.stream()
            .allMatch(
                driver ->
                    !driver.calls().isEmpty()
                        && driver.calls().values().stream().allMatch(all -> all.failed() == 0));
  }

  /**
   * The time of the second driver over that of the first, at a percentile; empty without two
   * drivers that answered.
   *
   * @since 0.1.0
   */
  public OptionalDouble ratio(CsiRpc rpc, double percent) {
    return ratio(rpc, figures -> (double) figures.percentile(percent));
  }

  /** The same of any figure. */
  OptionalDouble ratio(CsiRpc rpc, ToDoubleFunction<CallFigures> figure) {
    if (drivers.size() < 2) {
      return OptionalDouble.empty();
    }
    Optional<CallFigures> first = drivers.get(0).answered(rpc);
    Optional<CallFigures> second = drivers.get(1).answered(rpc);
    return first.isPresent() && second.isPresent()
        ? OptionalDouble.of(figure.applyAsDouble(second.get()) / figure.applyAsDouble(first.get()))
        : OptionalDouble.empty();
  }

  /** The RPCs that were called, in the order of the specification. */
  Set<CsiRpc> rpcs() {
    Set<CsiRpc> rpcs = EnumSet.noneOf(CsiRpc.class);
    drivers.forEach(driver -> rpcs.addAll(driver.calls().keySet()));
    return rpcs;
  }

  /** The letter of a driver in tables. */
  static String letter(int driver) {
    return driver == 0 ? "A" : "B";
  }
}
