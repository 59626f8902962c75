package dev.csijava.core.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import io.grpc.Status;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CapacityPlannerTest {
  private static final long KIB = 1L << 10;
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  /** 4 KiB blocks, 1 MiB to 1 TiB, 1 GiB by default. */
  private final CapacityPlanner planner =
      CapacityPlanner.builder()
          .granularity(4 * KIB)
          .minimum(MIB)
          .defaultSize(GIB)
          .maximum(1024 * GIB)
          .build();

  private final CapacityPlanner boundless = CapacityPlanner.builder().build();

  @Test
  void aBuilderLeftAloneAllowsEverySizeAndDefaultsToOneGib() {
    assertThat(boundless.minimumBytes()).isEqualTo(1);
    assertThat(boundless.maximumBytes()).isEqualTo(Long.MAX_VALUE);
    assertThat(boundless.plan(null)).isEqualTo(GIB);
    assertThat(boundless.plan(range(1, 0))).isEqualTo(1);
    assertThat(boundless.plan(range(Long.MAX_VALUE, 0))).isEqualTo(Long.MAX_VALUE);
    assertThat(boundless.plan(range(Long.MAX_VALUE, Long.MAX_VALUE))).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void everyPropertyOfTheBuilderArrives() {
    assertThat(planner.minimumBytes()).isEqualTo(MIB);
    assertThat(planner.maximumBytes()).isEqualTo(1024 * GIB);
    assertThat(planner.plan(null)).isEqualTo(GIB);
    assertThat(planner.plan(range(MIB + 1, 0))).isEqualTo(MIB + 4 * KIB);
  }

  @Test
  void aRequestWithoutARangeGetsTheDefault() {
    CreateVolumeRequest.Builder request = CreateVolumeRequest.newBuilder();
    assertThat(planner.planNew(request.build())).isEqualTo(GIB);
    assertThat(planner.planNew(request.setCapacityRange(range(MIB + 1, 0)).build()))
        .isEqualTo(MIB + 4 * KIB);
    request.setCapacityRange(CapacityRange.getDefaultInstance());
    assertCode(Status.Code.INVALID_ARGUMENT, () -> planner.planNew(request.build()));
  }

  @Test
  void minimumAndDefaultAreRoundedUpAndTheMaximumDown() {
    CapacityPlanner odd =
        CapacityPlanner.builder().granularity(10).minimum(11).defaultSize(31).maximum(99).build();
    assertThat(odd.minimumBytes()).isEqualTo(20);
    assertThat(odd.plan(null)).isEqualTo(40);
    assertThat(odd.maximumBytes()).isEqualTo(90);
  }

  @Test
  void aDefaultThatWasNotSetGivesWayToMinimumAndMaximum() {
    assertThat(CapacityPlanner.builder().maximum(MIB).build().plan(null)).isEqualTo(MIB);
    assertThat(CapacityPlanner.builder().minimum(2 * GIB).build().plan(null)).isEqualTo(2 * GIB);
    assertThat(CapacityPlanner.builder().granularity(3 * GIB).build().plan(null))
        .isEqualTo(3 * GIB);
  }

  @Test
  void sizesThatContradictEachOtherAreRefusedWhenBuilt() {
    CapacityPlanner.Builder builder = CapacityPlanner.builder();
    assertThatThrownBy(() -> builder.granularity(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.minimum(-1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.defaultSize(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.maximum(0)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CapacityPlanner.builder().granularity(10).maximum(9).build())
        .hasMessageContaining("no multiple of 10");
    assertThatThrownBy(
            () -> CapacityPlanner.builder().granularity(10).minimum(11).maximum(19).build())
        .hasMessageContaining("no multiple of 10");
    assertThatThrownBy(() -> CapacityPlanner.builder().defaultSize(11).maximum(10).build())
        .hasMessageContaining("default");
    assertThatThrownBy(() -> CapacityPlanner.builder().defaultSize(9).minimum(10).build())
        .hasMessageContaining("default");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 0",
    "0, -1",
    "-1, -1",
    "-1, 1048576",
    "1048576, -1",
    "0, 0",
    "2097152, 1048576",
    "9223372036854775807, 9223372036854775806",
    "-9223372036854775808, 0",
  })
  void b091ARangeThatMakesNoSenseIsAnInvalidArgumentEverywhere(long required, long limit) {
    CapacityRange range = range(required, limit);
    assertCode(Status.Code.INVALID_ARGUMENT, () -> planner.plan(range));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> planner.planGrowth(GIB, range));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> planner.planCopy(GIB, range));
    assertCode(Status.Code.INVALID_ARGUMENT, () -> CapacityPlanner.fits(GIB, range) ? 1 : 0);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1048576, 1048576",
    "1048576, 1048576, 1048576",
    "1048576, 0, 1048576",
    "1099511627776, 0, 1099511627776",
    "1099511627776, 1099511627776, 1099511627776",
    "0, 9223372036854775807, 1073741824",
    "1, 9223372036854775807, 1048576",
  })
  void b091ARangeThatCanBeMetIsMetExactlyAtItsBorders(long required, long limit, long size) {
    assertThat(planner.plan(range(required, limit))).isEqualTo(size);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 102400",
    "0, 1048575",
    "102400, 102400",
    "1048577, 1048577",
    "1048577, 1052671",
    "1099511627777, 0",
    "4611686018427387904, 0",
    "9223372036854775807, 0",
    "9223372036854775807, 9223372036854775807",
  })
  void b089B093ARangeThatCannotBeMetIsOutOfRange(long required, long limit) {
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.plan(range(required, limit)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1L << 62, Long.MAX_VALUE - 1, Long.MAX_VALUE})
  void b089RoundingUpNeverOverflows(long required) {
    CapacityPlanner coarse = CapacityPlanner.builder().granularity(1L << 40).build();
    CapacityRange range = range(required, 0);
    if (required == 1L << 62) {
      assertThat(coarse.plan(range)).isEqualTo(required);
      assertCode(Status.Code.OUT_OF_RANGE, () -> planner.plan(range));
    } else {
      assertCode(Status.Code.OUT_OF_RANGE, () -> coarse.plan(range));
      assertCode(Status.Code.OUT_OF_RANGE, () -> coarse.planGrowth(1L << 40, range));
      assertCode(Status.Code.OUT_OF_RANGE, () -> coarse.planCopy(1L << 40, range));
    }
  }

  @Test
  void b093ALimitAloneGivesTheDefaultOrTheLargestBelowTheLimit() {
    assertThat(planner.plan(range(0, 2 * GIB))).isEqualTo(GIB);
    assertThat(planner.plan(range(0, GIB - 1))).isEqualTo(GIB - 4 * KIB);
    assertThat(boundless.plan(range(0, 100 * KIB))).isEqualTo(100 * KIB);
  }

  @Test
  void b094LessThanTheMinimumIsRoundedUpToIt() {
    assertThat(planner.plan(range(1, 0))).isEqualTo(MIB);
    assertThat(planner.plan(range(1, MIB))).isEqualTo(MIB);
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.plan(range(1, MIB - 1)));
  }

  @ParameterizedTest
  @ValueSource(longs = {1073741825, 1073741823, 1048577, 1073745919})
  void b096OddSizesAreAlignedOnceAndAlikeInCreateAndExpand(long required) {
    long created = planner.plan(range(required, 0));
    assertThat(created % (4 * KIB)).isZero();
    assertThat(created).isBetween(required, required + 4 * KIB - 1);
    assertThat(planner.planGrowth(MIB, range(required, 0))).isEqualTo(created);
    assertThat(planner.planGrowth(created, range(required, 0))).isEqualTo(created);
    assertThat(planner.plan(range(created, 0))).isEqualTo(created);
  }

  @Test
  void b082TheSizeMadeFitsTheRequestThatMadeItAndEveryRangeAroundIt() {
    long size = planner.plan(range(MIB + 1, 0));
    assertThat(CapacityPlanner.fits(size, range(MIB + 1, 0))).isTrue();
    assertThat(CapacityPlanner.fits(size, range(MIB + 2, 0))).isTrue();
    assertThat(CapacityPlanner.fits(size, range(size, size))).isTrue();
    assertThat(CapacityPlanner.fits(size, range(size + 1, 0))).isFalse();
    assertThat(CapacityPlanner.fits(size, range(0, size - 1))).isFalse();
    assertThat(CapacityPlanner.fits(size, range(1, size - 1))).isFalse();
    assertThat(CapacityPlanner.fits(size, null)).isTrue();
  }

  @Test
  void anExpansionNeverShrinksAndARepeatedOneChangesNothing() {
    assertThat(planner.planGrowth(GIB, range(2 * GIB, 0))).isEqualTo(2 * GIB);
    assertThat(planner.planGrowth(GIB, range(GIB, 0))).isEqualTo(GIB);
    assertThat(planner.planGrowth(GIB, range(MIB, 0))).isEqualTo(GIB);
    assertThat(planner.planGrowth(GIB, range(0, GIB))).isEqualTo(GIB);
    assertThat(planner.planGrowth(GIB, range(MIB, 2 * GIB))).isEqualTo(GIB);
    assertThat(planner.planGrowth(GIB, null)).isEqualTo(GIB);
    assertThat(planner.planGrowth(0, range(1, 0))).isEqualTo(MIB);
  }

  @Test
  void anExpansionThatTheBoundsForbidIsOutOfRange() {
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planGrowth(GIB, range(MIB, GIB - 1)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planGrowth(GIB, range(0, MIB)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planGrowth(GIB, range(1L << 62, 0)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planGrowth(MIB, range(MIB + 1, MIB + 2)));
  }

  @Test
  void aVolumeFromOutsideThePlannersSizesKeepsItsSizeUntilItGrows() {
    long imported = GIB + 1;
    assertThat(planner.planGrowth(imported, range(imported, imported))).isEqualTo(imported);
    assertThat(planner.planGrowth(imported, range(imported + 1, 0))).isEqualTo(GIB + 4 * KIB);
    assertThat(planner.planGrowth(2048 * GIB, range(GIB, 0))).isEqualTo(2048 * GIB);
    assertThat(planner.planGrowth(1, range(1, 0))).isEqualTo(1);
  }

  @Test
  void aCopyIsAsLargeAsItsSourceUnlessMoreIsAskedFor() {
    assertThat(planner.planCopy(2 * GIB, null)).isEqualTo(2 * GIB);
    assertThat(planner.planCopy(2 * GIB, range(2 * GIB, 0))).isEqualTo(2 * GIB);
    assertThat(planner.planCopy(2 * GIB, range(0, 3 * GIB))).isEqualTo(2 * GIB);
    assertThat(planner.planCopy(2 * GIB, range(3 * GIB, 0))).isEqualTo(3 * GIB);
    assertThat(planner.planCopy(GIB + 1, null)).isEqualTo(GIB + 4 * KIB);
    assertThat(planner.planCopy(0, null)).isEqualTo(MIB);
  }

  @Test
  void aCopySmallerThanItsSourceIsOutOfRange() {
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(GIB, range(GIB - 1, 0)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(GIB, range(1, 2 * GIB)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(GIB, range(0, GIB - 1)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(GIB + 1, range(0, GIB + 1)));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(2048 * GIB, null));
    assertCode(Status.Code.OUT_OF_RANGE, () -> planner.planCopy(Long.MAX_VALUE, null));
  }

  @Test
  void b100TheLargestThatHasRoomIsPlannedExactly() {
    assertThat(planner.largestWithin(GIB + 5)).isEqualTo(GIB);
    assertThat(planner.largestWithin(MIB)).isEqualTo(MIB);
    assertThat(planner.largestWithin(MIB - 1)).isZero();
    assertThat(planner.largestWithin(0)).isZero();
    assertThat(planner.largestWithin(Long.MIN_VALUE)).isZero();
    assertThat(planner.largestWithin(Long.MAX_VALUE)).isEqualTo(1024 * GIB);
    assertThat(planner.plan(range(1024 * GIB, 1024 * GIB))).isEqualTo(1024 * GIB);
  }

  @Test
  void aNegativeSizeIsAFaultOfTheDriver() {
    assertThatThrownBy(() -> planner.planGrowth(-1, null))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> planner.planCopy(-1, null))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theSentenceNamesTheBoundsAndTheReason() {
    assertThatThrownBy(() -> planner.plan(range(1L << 62, 0)))
        .hasMessageContaining("capacity_range")
        .hasMessageContaining("1099511627776")
        .hasMessageContaining("at least 4611686018427387904 bytes");
    assertThatThrownBy(() -> planner.plan(range(1, 2)))
        .hasMessageEndingWith("at least 1 bytes and at most 2 bytes");
    assertThatThrownBy(() -> planner.planCopy(2048 * GIB, null)).hasMessageEndingWith("no bounds");
  }

  private static void assertCode(Status.Code code, LongSupplier plan) {
    assertThatThrownBy(plan::getAsLong)
        .isInstanceOfSatisfying(CsiException.class, e -> assertThat(e.code()).isEqualTo(code));
  }

  private static CapacityRange range(long required, long limit) {
    return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
  }
}
