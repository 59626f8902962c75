package dev.csijava.testkit.load;

/**
 * What is repeated under load.
 *
 * @since 0.1.0
 */
public enum LoadWork {
  /** NodePublishVolume and NodeUnpublishVolume of volumes that are staged. */
  PUBLISH,
  /** CreateVolume and DeleteVolume, beside the volumes that are there. */
  CREATE,
  /** NodeGetVolumeStats of volumes that are published. */
  STATS,
  /** The whole life of a volume, from CreateVolume to DeleteVolume. */
  MIXED,
  /** Probe. */
  PROBE
}
