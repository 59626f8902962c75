package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.Volume;
import io.grpc.Status;
import java.util.List;

/** CreateVolume: sizes, and how capacity ranges are read. */
final class CreateVolumeSizeCases implements CaseGroup {
  /** Four exbibytes: more than any back end holds, and half of what a long can count. */
  private static final long BEYOND = 1L << 62;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "create-volume-limit",
            "A volume with a largest size is no larger, and one bound alone suffices",
            c -> {
              long limit = c.settings().size();
              Volume limited = c.ok("GEN-RANGE-003", () -> sized(c, Requests.range(0, limit)));
              c.check(
                  "CTRL-CREATE-017",
                  limited.getCapacityBytes() <= limit,
                  "at most " + limit + " bytes",
                  limited.getCapacityBytes());
              c.ok("GEN-RANGE-003", () -> sized(c, Requests.atLeast(limit)));
            },
            "CTRL-CREATE-017",
            "GEN-RANGE-003"),
        Case.of(
            "GEN-RANGE-004",
            c -> {
              long size = c.settings().size();
              Outcome<Volume> exact =
                  c.answers("GEN-RANGE-004", () -> sized(c, Requests.range(size, size)));
              if (exact.ok()) {
                long came = exact.answer().getCapacityBytes();
                c.check(came == size || came == 0, size + " bytes, or unknown", came);
              }
            }),
        Case.of("GEN-RANGE-001", c -> c.refused(() -> sized(c, Requests.range(0, 0)))),
        Case.of(
            "GEN-RANGE-002",
            c -> {
              belowZero(c, "GEN-RANGE-002", -1, 0);
              belowZero(c, "GEN-RANGE-002", 0, -1);
              belowZero(c, "GEN-RANGE-002", Long.MIN_VALUE, c.settings().size());
            }),
        Case.of(
            "GEN-RANGE-005",
            c -> c.refused(() -> sized(c, Requests.range(c.settings().size(), 1)))),
        Case.of(
            "CTRL-CREATE-019",
            c -> {
              for (long size : List.of(BEYOND, Long.MAX_VALUE)) {
                Outcome<Volume> beyond = Outcome.of(() -> sized(c, Requests.atLeast(size)));
                c.need(!beyond.ok(), "the driver makes volumes of any size");
                c.need(
                    beyond.code() != Status.Code.RESOURCE_EXHAUSTED,
                    "the driver knows no largest size, only how much room there is");
                c.judge("CTRL-CREATE-019", beyond, false);
              }
            }),
        Case.of("CTRL-CAPACITY-009", CreateVolumeSizeCases::promisedBounds).runAlone());
  }

  /** As an invalid field or as a range that can't be: the specification says both. */
  static void belowZero(CaseContext c, String row, long required, long limit) {
    Outcome<Volume> outcome = Outcome.of(() -> sized(c, Requests.range(required, limit)));
    c.check(
        row,
        outcome.code() == Status.Code.INVALID_ARGUMENT
            || outcome.code() == Status.Code.OUT_OF_RANGE,
        "INVALID_ARGUMENT or OUT_OF_RANGE for " + required + " to " + limit + " bytes",
        outcome);
    c.note(row, "seen for a size below zero: " + outcome.code());
  }

  private static void promisedBounds(CaseContext c) {
    var capacity = c.prepare(() -> c.controller().getCapacity(CapacityCases.asked(c).build()));
    c.need(
        capacity.hasMaximumVolumeSize() || capacity.hasMinimumVolumeSize(),
        "the driver tells no bounds");
    long maximum = capacity.getMaximumVolumeSize().getValue();
    boolean fills = leavesLittle(capacity.getAvailableCapacity(), maximum);
    c.need(
        !fills || capacity.hasMinimumVolumeSize(),
        "a volume of the maximum size " + maximum + " would take the room that others need");
    if (capacity.hasMaximumVolumeSize() && fills) {
      c.note("CTRL-CAPACITY-009", "not tried: the maximum, which would take most of the room");
    } else if (capacity.hasMaximumVolumeSize()) {
      Outcome<Volume> largest = Outcome.of(() -> sized(c, Requests.atLeast(maximum)));
      c.check(
          largest.ok() || largest.code() == Status.Code.RESOURCE_EXHAUSTED,
          "a volume of the maximum size " + maximum + ", or no room for it",
          largest);
    }
    if (capacity.hasMinimumVolumeSize()) {
      long minimum = Math.max(1, capacity.getMinimumVolumeSize().getValue());
      Outcome<Volume> smallest = Outcome.of(() -> sized(c, Requests.range(0, minimum)));
      c.check(smallest.ok(), "a volume of the minimum size " + minimum, smallest);
    }
  }

  /** Whether a volume of this size is possible and leaves less room than it takes. */
  private static boolean leavesLittle(long available, long size) {
    return size > 0 && available >= size && available - size < size;
  }

  private static Volume sized(CaseContext c, CapacityRange range) {
    return createVolume(c, volume(c).setCapacityRange(range));
  }
}
