package dev.csijava.core;

/**
 * Whose capability values a driver advertises. The RPCs of both versions are served either way;
 * older sidecars fail on capability values that they do not know.
 *
 * @since 0.1.0
 */
public enum SpecVersion {
  /**
   * CSI 1.12, which nearly every sidecar speaks: health is VOLUME_CONDITION. The default.
   *
   * @since 0.1.0
   */
  V1_12,
  /**
   * CSI 1.13: health is GET_VOLUME_HEALTH, LIST_VOLUME_HEALTH and GET_STORAGE_HEALTH, and snapshots
   * may have a topology.
   *
   * @since 0.1.0
   */
  V1_13
}
