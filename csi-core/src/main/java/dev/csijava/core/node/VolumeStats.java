package dev.csijava.core.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;

/**
 * Capability GET_VOLUME_STATS.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface VolumeStats {
  /**
   * Use of a volume in bytes and inodes; of a block volume only the total. NOT_FOUND if the volume
   * is unknown or not at that path.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call);
}
