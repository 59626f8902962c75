package dev.csijava.core.metadata;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedResponse;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetMetadataDeltaResponse;

/**
 * The SnapshotMetadata service (alpha): which blocks of a snapshot hold data, and which changed
 * between two. Registering it advertises SNAPSHOT_METADATA_SERVICE.
 *
 * <p>Methods may block and are called from several threads at once. Returning ends the stream with
 * OK, so return only when all was sent; throwing ends it with that status.
 *
 * @since 0.1.0
 */
public interface SnapshotMetadata {
  /**
   * Sends the allocated ranges of a snapshot, in bytes, in rising order without overlap. NOT_FOUND
   * for an unknown snapshot, OUT_OF_RANGE for an offset beyond the volume.
   *
   * @param replies takes the messages of the stream; its {@code send} blocks while the caller is
   *     slow
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  void getMetadataAllocated(
      GetMetadataAllocatedRequest request,
      ReplyStream<GetMetadataAllocatedResponse> replies,
      CallContext call);

  /**
   * Sends the ranges that changed from the base to the target snapshot, in bytes, in rising order
   * without overlap.
   *
   * @param replies takes the messages of the stream; its {@code send} blocks while the caller is
   *     slow
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  void getMetadataDelta(
      GetMetadataDeltaRequest request,
      ReplyStream<GetMetadataDeltaResponse> replies,
      CallContext call);
}
