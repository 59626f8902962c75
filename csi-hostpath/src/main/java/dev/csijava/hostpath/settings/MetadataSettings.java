package dev.csijava.hostpath.settings;

import dev.csijava.spec.v1.BlockMetadataType;

/**
 * Whether snapshots say which of their blocks hold data. Immutable.
 *
 * @param enabled whether the SnapshotMetadata service is served
 * @param blockType whether all ranges are of one length or not
 */
public record MetadataSettings(boolean enabled, BlockMetadataType blockType) {
  /** Not served. */
  public static final MetadataSettings DEFAULTS =
      new MetadataSettings(false, BlockMetadataType.FIXED_LENGTH);
}
