package dev.csijava.core.capacity;

import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Turns what a caller asks for into the size of a volume: the one place with size arithmetic (rule
 * K9). All sizes are bytes.
 *
 * <p>What it answers is a multiple of the granularity, between the minimum and the maximum, never
 * below {@code required_bytes} and never above {@code limit_bytes}: a range that allows no such
 * size is refused with OUT_OF_RANGE, and equal bounds give exactly that size or fail. A range that
 * makes no sense (a negative bound, both bounds zero, a limit below what is required) is refused
 * with INVALID_ARGUMENT by every method that takes one. A bound of zero is no bound. A missing
 * range is passed as {@code null}: {@code request.hasCapacityRange() ? request.getCapacityRange() :
 * null}.
 *
 * <p>Align once, before anything is stored, compared or reported: use the answer for all of these.
 *
 * <p>Immutable, and safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class CapacityPlanner {
  private final long granularity;
  private final long minimum;
  private final long defaultSize;
  private final long maximum;

  private CapacityPlanner(long granularity, long minimum, long defaultSize, long maximum) {
    this.granularity = granularity;
    this.minimum = minimum;
    this.defaultSize = defaultSize;
    this.maximum = maximum;
  }

  /**
   * A builder with a granularity and a minimum of 1, a default of 1 GiB (brought between minimum
   * and maximum) and no maximum.
   *
   * @since 0.1.0
   */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * The size of a new, empty volume: the smallest that is allowed and required; where nothing is
   * required the default, or the largest below the limit if the default is above it.
   *
   * @param range what the request asks for; null if it names no range
   * @return the size in bytes
   * @throws CsiException INVALID_ARGUMENT or OUT_OF_RANGE, as the class comment says
   * @since 0.1.0
   */
  public long plan(@Nullable CapacityRange range) {
    Bounds bounds = Bounds.of(range);
    if (bounds.required() > 0) {
      return atLeast(bounds.required(), bounds);
    }
    long largest = largestWithin(bounds.limit());
    if (largest == 0) {
      throw outOfRange("the smallest volume has " + minimum + " bytes", bounds);
    }
    return Math.min(defaultSize, largest);
  }

  /**
   * The size of the new, empty volume that a request asks for, as {@link #plan} has it.
   *
   * @return the size in bytes
   * @throws CsiException INVALID_ARGUMENT or OUT_OF_RANGE, as the class comment says
   * @since 0.1.0
   */
  public long planNew(CreateVolumeRequest request) {
    return plan(request.hasCapacityRange() ? request.getCapacityRange() : null);
  }

  /**
   * The size of a volume after it was expanded. It never shrinks: a request that it satisfies
   * already gives its present size, whatever this planner would make of it today.
   *
   * @param currentBytes the volume's present size, not negative
   * @param range what the request asks for; null, as NodeExpandVolume allows, asks for nothing
   * @return the size in bytes, at least {@code currentBytes}
   * @throws CsiException INVALID_ARGUMENT or OUT_OF_RANGE, as the class comment says; OUT_OF_RANGE
   *     too for a limit below the present size
   * @since 0.1.0
   */
  public long planGrowth(long currentBytes, @Nullable CapacityRange range) {
    checkSize(currentBytes);
    Bounds bounds = Bounds.of(range);
    if (currentBytes > bounds.limit()) {
      throw outOfRange("the volume has " + currentBytes + " bytes and never shrinks", bounds);
    }
    return bounds.required() <= currentBytes ? currentBytes : atLeast(bounds.required(), bounds);
  }

  /**
   * The size of a volume made from a snapshot or another volume: what is required, or the size of
   * the source where nothing is.
   *
   * @param sourceBytes the size of the snapshot or volume that is copied, not negative
   * @param range what the request asks for; null if it names no range
   * @return the size in bytes, at least {@code sourceBytes}
   * @throws CsiException INVALID_ARGUMENT or OUT_OF_RANGE, as the class comment says; OUT_OF_RANGE
   *     too where less is asked for than the source has
   * @since 0.1.0
   */
  public long planCopy(long sourceBytes, @Nullable CapacityRange range) {
    checkSize(sourceBytes);
    Bounds bounds = Bounds.of(range);
    if (bounds.limit() < sourceBytes
        || (bounds.required() > 0 && bounds.required() < sourceBytes)) {
      throw outOfRange("the source has " + sourceBytes + " bytes", bounds);
    }
    return atLeast(Math.max(sourceBytes, bounds.required()), bounds);
  }

  /**
   * Whether a volume of this size satisfies the range, as a replay of its creation needs to know. A
   * missing range is satisfied by every size.
   *
   * @param sizeBytes the size of a volume that exists
   * @param range what the request asks for; null if it names no range
   * @throws CsiException INVALID_ARGUMENT for a range that makes no sense
   * @since 0.1.0
   */
  public static boolean fits(long sizeBytes, @Nullable CapacityRange range) {
    Bounds bounds = Bounds.of(range);
    return bounds.required() <= sizeBytes && sizeBytes <= bounds.limit();
  }

  /**
   * The largest volume that could be made from so many free bytes: what GetCapacity answers as
   * {@code maximum_volume_size}. A volume of that size is planned as exactly that size.
   *
   * @param freeBytes the room there is; less than zero is taken for zero
   * @return the size in bytes; 0 if not even the smallest volume has room
   * @since 0.1.0
   */
  public long largestWithin(long freeBytes) {
    long largest = floor(Math.min(Math.max(freeBytes, 0), maximum), granularity);
    return largest < minimum ? 0 : largest;
  }

  /**
   * The smallest volume that is ever planned, in bytes: {@code minimum_volume_size} of GetCapacity.
   *
   * @since 0.1.0
   */
  public long minimumBytes() {
    return minimum;
  }

  /**
   * The largest volume that is ever planned, in bytes.
   *
   * @since 0.1.0
   */
  public long maximumBytes() {
    return maximum;
  }

  /** The smallest planned size that is not below {@code bytes}, if the upper bounds allow it. */
  private long atLeast(long bytes, Bounds bounds) {
    if (bytes > maximum) {
      throw outOfRange("the largest volume has " + maximum + " bytes", bounds);
    }
    // Can't overflow: the maximum is a multiple of the granularity and not below either of them.
    long size = ceiling(Math.max(bytes, minimum), granularity);
    if (size > bounds.limit()) {
      throw outOfRange("the smallest volume that would do has " + size + " bytes", bounds);
    }
    return size;
  }

  private static void checkSize(long bytes) {
    if (bytes < 0) {
      throw new IllegalArgumentException("a size can't be negative: " + bytes);
    }
  }

  private static CsiException outOfRange(String why, Bounds bounds) {
    return CsiException.outOfRange(
        "capacity_range can't be met: " + why + ", asked for are " + bounds);
  }

  private static long floor(long bytes, long granularity) {
    return bytes - Math.floorMod(bytes, granularity);
  }

  private static long ceiling(long bytes, long granularity) {
    long rest = Math.floorMod(bytes, granularity);
    return rest == 0 ? bytes : Math.addExact(bytes - rest, granularity);
  }

  /** A range that makes sense, with the largest number standing for no limit. */
  private record Bounds(long required, long limit) {
    private static final Bounds NONE = new Bounds(0, Long.MAX_VALUE);

    static Bounds of(@Nullable CapacityRange range) {
      if (range == null) {
        return NONE;
      }
      long required = range.getRequiredBytes();
      long limit = range.getLimitBytes();
      if (required < 0) {
        throw CsiException.invalidArgument(
            "capacity_range.required_bytes can't be negative: " + required);
      }
      if (limit < 0) {
        throw CsiException.invalidArgument(
            "capacity_range.limit_bytes can't be negative: " + limit);
      }
      if (required == 0 && limit == 0) {
        throw CsiException.invalidArgument(
            "capacity_range needs required_bytes, limit_bytes or both");
      }
      if (limit != 0 && limit < required) {
        throw CsiException.invalidArgument(
            "capacity_range.limit_bytes ("
                + limit
                + ") is below required_bytes ("
                + required
                + ")");
      }
      return new Bounds(required, limit == 0 ? Long.MAX_VALUE : limit);
    }

    @Override
    public String toString() {
      StringJoiner text = new StringJoiner(" and ").setEmptyValue("no bounds");
      if (required > 0) {
        text.add("at least " + required + " bytes");
      }
      if (limit < Long.MAX_VALUE) {
        text.add("at most " + limit + " bytes");
      }
      return text.toString();
    }
  }

  /**
   * Collects the four sizes of a planner, all in bytes. Not safe for use by several threads.
   *
   * @since 0.1.0
   */
  public static final class Builder {
    private static final long ONE_GIB = 1L << 30;

    private long granularity = 1;
    private long minimum = 1;
    private long defaultSize;
    private long maximum = Long.MAX_VALUE;

    private Builder() {}

    /**
     * Every planned size is a multiple of it: the back end's block or extent size.
     *
     * @throws IllegalArgumentException if it is not positive
     * @since 0.1.0
     */
    public Builder granularity(long bytes) {
      granularity = positive("granularity", bytes);
      return this;
    }

    /**
     * No volume is smaller; requests for less are rounded up to it.
     *
     * @throws IllegalArgumentException if it is not positive
     * @since 0.1.0
     */
    public Builder minimum(long bytes) {
      minimum = positive("minimum", bytes);
      return this;
    }

    /**
     * The size of a volume whose request names none.
     *
     * @throws IllegalArgumentException if it is not positive
     * @since 0.1.0
     */
    public Builder defaultSize(long bytes) {
      defaultSize = positive("default size", bytes);
      return this;
    }

    /**
     * No volume is larger.
     *
     * @throws IllegalArgumentException if it is not positive
     * @since 0.1.0
     */
    public Builder maximum(long bytes) {
      maximum = positive("maximum", bytes);
      return this;
    }

    /**
     * The planner; minimum and default are rounded up to the granularity, the maximum down.
     *
     * @throws IllegalArgumentException if no size lies between minimum and maximum, or the default
     *     does not
     * @since 0.1.0
     */
    public CapacityPlanner build() {
      long largest = floor(maximum, granularity);
      if (minimum > largest) {
        throw new IllegalArgumentException(
            "no multiple of %d bytes lies between the minimum (%d) and the maximum (%d)"
                .formatted(granularity, minimum, maximum));
      }
      long smallest = ceiling(minimum, granularity);
      if (defaultSize == 0) {
        long size = ceiling(Math.min(ONE_GIB, largest), granularity);
        return new CapacityPlanner(
            granularity, smallest, Math.min(largest, Math.max(smallest, size)), largest);
      }
      if (defaultSize < minimum || defaultSize > largest) {
        throw new IllegalArgumentException(
            "the default size (%d bytes) does not lie between the minimum (%d) and the maximum (%d)"
                .formatted(defaultSize, minimum, maximum));
      }
      return new CapacityPlanner(granularity, smallest, ceiling(defaultSize, granularity), largest);
    }

    private static long positive(String name, long bytes) {
      if (bytes <= 0) {
        throw new IllegalArgumentException("the " + name + " must be positive: " + bytes);
      }
      return bytes;
    }
  }
}
