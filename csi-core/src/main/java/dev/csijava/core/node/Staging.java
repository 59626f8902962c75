package dev.csijava.core.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;

/**
 * Capability STAGE_UNSTAGE_VOLUME.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Staging {
  /**
   * Makes the volume appear at the staging path, a directory that the caller made. Absolute host
   * path.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call);

  /**
   * Undoes NodeStageVolume; OK if nothing is staged there. The directory itself is the caller's.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeUnstageVolumeResponse nodeUnstageVolume(NodeUnstageVolumeRequest request, CallContext call);
}
