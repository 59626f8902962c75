package dev.csijava.hostpath.settings;

import java.util.OptionalLong;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Whether volumes are attached to a node before they are staged, and how many. Immutable.
 *
 * @param enabled whether ControllerPublishVolume is served, and needed
 * @param maxVolumesPerNode what NodeGetInfo says; 0 for no limit
 * @param attachLimit takes the place of {@code maxVolumesPerNode} if it is positive; -1 for a
 *     number from 1 to 10 that differs in each NodeGetInfo, as tests of schedulers want it
 * @param keptWhileUsed whether a volume stays attached while it is staged or published on this node
 */
public record AttachSettings(
    boolean enabled, long maxVolumesPerNode, long attachLimit, boolean keptWhileUsed) {
  /** No attaching, and no limit. */
  public static final AttachSettings DEFAULTS = new AttachSettings(false, 0, 0);

  private static final long RANDOM = -1;
  private static final long LARGEST_RANDOM = 10;

  /** Attaching that leaves it to the caller when a volume is detached. */
  public AttachSettings(boolean enabled, long maxVolumesPerNode, long attachLimit) {
    this(enabled, maxVolumesPerNode, attachLimit, false);
  }

  /**
   * Checks what the rest relies on.
   *
   * @throws IllegalArgumentException with a sentence for the operator
   */
  public AttachSettings {
    if (attachLimit < RANDOM) {
      throw new IllegalArgumentException(
          "--attach-limit is a number of volumes, 0 for none, or -1 for a random one: "
              + attachLimit);
    }
    if (maxVolumesPerNode < 0) {
      throw new IllegalArgumentException(
          "--maxvolumespernode can't be negative: " + maxVolumesPerNode);
    }
  }

  /** What NodeGetInfo says; asked anew each time. */
  public LongSupplier reported() {
    if (attachLimit == RANDOM) {
      return () -> ThreadLocalRandom.current().nextLong(1, LARGEST_RANDOM + 1);
    }
    long limit = limit();
    return () -> limit;
  }

  /** How many volumes may be attached; what is reported is kept to, but for a random number. */
  public OptionalLong enforced() {
    return attachLimit == RANDOM || limit() == 0 ? OptionalLong.empty() : OptionalLong.of(limit());
  }

  private long limit() {
    return attachLimit > 0 ? attachLimit : maxVolumesPerNode;
  }
}
