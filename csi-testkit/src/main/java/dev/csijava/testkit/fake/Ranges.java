package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.CapacityRange;

/** Sizes from capacity ranges. */
final class Ranges {
  private final FakeSettings settings;

  Ranges(FakeSettings settings) {
    this.settings = settings;
  }

  /** A range that makes no sense is an invalid field, whatever the driver can do. */
  static void wellFormed(CapacityRange range) {
    if (range.getRequiredBytes() < 0 || range.getLimitBytes() < 0) {
      throw Failure.invalid("the bounds of capacity_range must not be negative");
    }
    if (range.getRequiredBytes() == 0 && range.getLimitBytes() == 0) {
      throw Failure.invalid("capacity_range needs required_bytes or limit_bytes");
    }
    if (range.getLimitBytes() != 0 && range.getLimitBytes() < range.getRequiredBytes()) {
      throw Failure.invalid("limit_bytes is below required_bytes");
    }
  }

  static boolean fits(CapacityRange range, long size) {
    return size >= range.getRequiredBytes()
        && (range.getLimitBytes() == 0 || size <= range.getLimitBytes());
  }

  /**
   * The size of a new volume.
   *
   * @param source the size of what is copied, or 0
   */
  long choose(CapacityRange range, long source) {
    long required = range.getRequiredBytes();
    if (source > 0 && required > 0 && required < source) {
      throw Failure.outOfRange("required_bytes is below the " + source + " bytes of the source");
    }
    long wanted = required > 0 ? required : source > 0 ? source : settings.defaultSize;
    wanted = Math.max(wanted, Math.max(source, settings.minSize));
    if (required == 0 && range.getLimitBytes() != 0 && source == 0) {
      wanted = Math.max(settings.minSize, Math.min(wanted, range.getLimitBytes()));
    }
    return checked(range, wanted);
  }

  /** The size of a volume after it was asked to grow; never smaller than before. */
  long grown(CapacityRange range, long before) {
    return checked(range, Math.max(range.getRequiredBytes(), before));
  }

  private long checked(CapacityRange range, long wanted) {
    if (wanted > settings.maxSize) {
      throw Failure.outOfRange("volumes have at most " + settings.maxSize + " bytes");
    }
    if (!fits(range, wanted)) {
      throw Failure.outOfRange(
          "the volume would have " + wanted + " bytes, which capacity_range does not allow");
    }
    return wanted;
  }
}
