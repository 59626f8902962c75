package dev.csijava.core.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;

/**
 * NodePublishVolume and NodeUnpublishVolume, which every Node service must answer.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Publishing {
  /**
   * Makes the volume appear at the target path; only its parent is there. A repeat is OK,
   * ALREADY_EXISTS if something else is published there.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodePublishVolumeResponse nodePublishVolume(NodePublishVolumeRequest request, CallContext call);

  /**
   * Undoes NodePublishVolume and removes the target; OK if there is nothing to undo.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call);
}
