package dev.csijava.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CapacityRange;
import io.grpc.Status;
import java.util.OptionalLong;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;

/**
 * Compares the planner with a search through all sizes, and large random sizes with its promises.
 */
class CapacityPlannerOracleTest {
  /** Every planner and every range up to nine bytes, against a search through all sizes. */
  @Test
  void smallNumbersAgreeWithASearchThroughAllSizes() {
    for (long granularity = 1; granularity <= 3; granularity++) {
      for (long minimum = 1; minimum <= 4; minimum++) {
        for (long maximum = minimum; maximum <= 8; maximum++) {
          Oracle oracle = new Oracle(granularity, minimum, maximum);
          if (oracle.smallest(0, Long.MAX_VALUE).isPresent()) {
            compareAll(oracle);
          }
        }
      }
    }
  }

  private static void compareAll(Oracle oracle) {
    // The default of 1 GiB lies above every maximum here: without a requirement the largest wins.
    CapacityPlanner planner =
        CapacityPlanner.builder()
            .granularity(oracle.granularity())
            .minimum(oracle.minimum())
            .maximum(oracle.maximum())
            .build();
    for (long required = 0; required <= 9; required++) {
      for (long limit = 0; limit <= 9; limit++) {
        if ((required > 0 || limit > 0) && (limit == 0 || limit >= required)) {
          for (long present = 0; present <= 9; present++) {
            oracle.compare(planner, present, range(required, limit));
          }
        }
      }
    }
  }

  /** Large numbers, mostly near borders, with a fixed seed; the oracle counts in units. */
  @Test
  void largeNumbersKeepEveryPromise() {
    Random random = new Random(20_260_101);
    for (int i = 0; i < 10_000; i++) {
      long granularity = 1L << random.nextInt(45);
      long minimum = nearBorder(random, 1, 50);
      long maximum = nearBorder(random, 1, 63);
      if (maximum - Math.floorMod(maximum, granularity) < minimum) {
        continue;
      }
      CapacityPlanner any =
          CapacityPlanner.builder()
              .granularity(granularity)
              .minimum(minimum)
              .maximum(maximum)
              .build();
      long required = random.nextBoolean() ? 0 : nearBorder(random, 1, 63);
      long limit = random.nextBoolean() && required > 0 ? 0 : nearBorder(random, 1, 63);
      if (limit != 0 && limit < required) {
        continue;
      }
      long present = nearBorder(random, 1, 63);
      CapacityRange range = range(required, limit);
      assertPromises(any, granularity, range, attempt(() -> any.plan(range)));
      OptionalLong grown = attempt(() -> any.planGrowth(present, range));
      grown.ifPresent(size -> assertThat(size).isGreaterThanOrEqualTo(present));
      if (grown.isPresent() && grown.getAsLong() != present) {
        assertPromises(any, granularity, range, grown);
      }
      OptionalLong copied = attempt(() -> any.planCopy(present, range));
      copied.ifPresent(size -> assertThat(size).isGreaterThanOrEqualTo(present));
      assertPromises(any, granularity, range, copied);
    }
  }

  private static void assertPromises(
      CapacityPlanner planner, long granularity, CapacityRange range, OptionalLong planned) {
    planned.ifPresent(
        size -> {
          boolean kept =
              CapacityPlanner.fits(size, range)
                  && size >= planner.minimumBytes()
                  && size <= planner.maximumBytes()
                  && size % granularity == 0
                  && planner.plan(range(size, size)) == size;
          assertThat(kept).as("%s in %s", size, range).isTrue();
        });
  }

  private static long nearBorder(Random random, int lowestBit, int bits) {
    long power = 1L << (lowestBit + random.nextInt(bits - lowestBit));
    long size = power + random.nextInt(5) - 2;
    return random.nextInt(20) == 0 ? Long.MAX_VALUE - random.nextInt(3) : Math.max(1, size);
  }

  private static OptionalLong attempt(LongSupplier plan) {
    try {
      return OptionalLong.of(plan.getAsLong());
    } catch (CsiException e) {
      if (e.code() != Status.Code.OUT_OF_RANGE) {
        throw e;
      }
      return OptionalLong.empty();
    }
  }

  private static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }

  /** Finds sizes by trying them all. */
  private record Oracle(long granularity, long minimum, long maximum) {
    OptionalLong smallest(long atLeast, long atMost) {
      for (long size = minimum; size <= maximum; size++) {
        if (size % granularity == 0 && size >= atLeast && size <= atMost) {
          return OptionalLong.of(size);
        }
      }
      return OptionalLong.empty();
    }

    OptionalLong largest(long atMost) {
      for (long size = maximum; size >= minimum; size--) {
        if (size % granularity == 0 && size <= atMost) {
          return OptionalLong.of(size);
        }
      }
      return OptionalLong.empty();
    }

    void compare(CapacityPlanner planner, long present, CapacityRange range) {
      long required = range.getRequiredBytes();
      long limit = range.getLimitBytes() == 0 ? Long.MAX_VALUE : range.getLimitBytes();
      check(
          "plan",
          present,
          range,
          attempt(() -> planner.plan(range)),
          required == 0 ? largest(limit) : smallest(required, limit));
      check(
          "growth",
          present,
          range,
          attempt(() -> planner.planGrowth(present, range)),
          growth(present, required, limit));
      check(
          "copy",
          present,
          range,
          attempt(() -> planner.planCopy(present, range)),
          (required > 0 && required < present) || limit < present
              ? OptionalLong.empty()
              : smallest(Math.max(required, present), limit));
      check(
          "largest",
          present,
          range,
          OptionalLong.of(planner.largestWithin(present)),
          OptionalLong.of(largest(present).orElse(0)));
    }

    private void check(
        String what,
        long present,
        CapacityRange range,
        OptionalLong actual,
        OptionalLong expected) {
      // Millions of comparisons: the description is built for those that fail only.
      if (!actual.equals(expected)) {
        assertThat(actual)
            .as("%s of %s in %s, present %s", what, this, range, present)
            .isEqualTo(expected);
      }
    }

    private OptionalLong growth(long present, long required, long limit) {
      if (present > limit) {
        return OptionalLong.empty();
      }
      return required <= present ? OptionalLong.of(present) : smallest(required, limit);
    }
  }

  @Test
  void theOracleItselfRefusesWhatNoSizeSatisfies() {
    assertThat(new Oracle(4, 1, 3).smallest(0, 10)).isEmpty();
    assertThat(new Oracle(4, 1, 9).largest(7)).hasValue(4);
  }
}
