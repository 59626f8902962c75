package dev.csijava.hostpath.settings;

import dev.csijava.hostpath.backing.VolumeSizes;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * How large volumes may be, and how much of them there may be. Immutable; sizes are bytes.
 *
 * @param maxVolumeSize no volume is made larger
 * @param maxVolumeSizeOnNode no volume is grown larger by the node; 0 for {@code maxVolumeSize}
 * @param capacities what may be promised, by kind, in the order of the kinds' names; empty if
 *     nothing is counted
 */
public record SizeSettings(
    long maxVolumeSize, long maxVolumeSizeOnNode, Map<String, Long> capacities) {
  /** 1 TiB, as in the Go driver. */
  public static final long DEFAULT_MAX_VOLUME_SIZE = 1L << 40;

  /** 1 GiB: what a volume has whose request names no size. */
  public static final long DEFAULT_VOLUME_SIZE = 1L << 30;

  /** What there is without any flag: volumes of 1 TiB at most, and no capacities. */
  public static final SizeSettings DEFAULTS =
      new SizeSettings(DEFAULT_MAX_VOLUME_SIZE, 0, Map.of());

  /**
   * Checks and copies.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public SizeSettings {
    if (maxVolumeSize < 1) {
      throw new IllegalArgumentException("--max-volume-size must be positive: " + maxVolumeSize);
    }
    if (maxVolumeSizeOnNode < 0) {
      throw new IllegalArgumentException(
          "--max-volume-size-node can't be negative: " + maxVolumeSizeOnNode);
    }
    capacities = Collections.unmodifiableMap(new TreeMap<>(capacities));
  }

  /** Sizes of volumes as the controller makes and grows them. */
  public VolumeSizes planned() {
    return new VolumeSizes(maxVolumeSize, Math.min(DEFAULT_VOLUME_SIZE, maxVolumeSize));
  }

  /** The largest size that the node grows a volume to. */
  public long largestOnNode() {
    return maxVolumeSizeOnNode == 0 ? maxVolumeSize : maxVolumeSizeOnNode;
  }
}
