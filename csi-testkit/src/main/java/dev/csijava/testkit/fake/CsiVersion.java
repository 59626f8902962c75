package dev.csijava.testkit.fake;

/**
 * Which version of CSI the driver speaks.
 *
 * @since 0.1.0
 */
public enum CsiVersion {
  /** Health as VolumeCondition in listings and statistics. */
  V1_12,

  /** Health by RPCs of its own, and snapshots with a topology. */
  V1_13
}
