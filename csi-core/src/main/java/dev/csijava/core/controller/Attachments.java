package dev.csijava.core.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;

/**
 * Capability PUBLISH_UNPUBLISH_VOLUME: makes a volume available on a node, from anywhere in the
 * cluster.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface Attachments {
  /**
   * Attaches a volume to a node. NOT_FOUND for an unknown volume or node; ALREADY_EXISTS if it is
   * attached there in another way; FAILED_PRECONDITION, naming the node, if another node has it.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request, CallContext call);

  /**
   * Detaches a volume from a node, or from all nodes if {@code node_id} is empty. OK when it is not
   * attached, or unknown.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request, CallContext call);
}
