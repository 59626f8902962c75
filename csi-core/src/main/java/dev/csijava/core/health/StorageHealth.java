package dev.csijava.core.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;

/**
 * Health of the storage behind this node: capability GET_STORAGE_HEALTH, CSI 1.13.
 *
 * <p>Methods may block and are called from several threads at once. The framework has checked the
 * request's required fields and holds the locks that the call needs.
 *
 * @since 0.1.0
 */
public interface StorageHealth {
  /**
   * What is wrong with the back end; an empty list when nothing is.
   *
   * @throws CsiException the status of the call if not OK
   * @since 0.1.0
   */
  NodeGetStorageHealthResponse nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, CallContext call);
}
