package dev.csijava.core;

import io.grpc.HandlerRegistry;
import io.grpc.ServerMethodDefinition;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Is asked for methods that nobody serves, which gRPC then refuses with UNIMPLEMENTED. Tells the
 * operator once when a sidecar still speaks the first draft of CSI.
 */
final class UnknownServices extends HandlerRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(CsiServer.class);
  private static final String DRAFT = "csi.v0.";

  private final AtomicBoolean told = new AtomicBoolean();

  @Override
  public @Nullable ServerMethodDefinition<?, ?> lookupMethod(
      String method, @Nullable String authority) {
    if (method.startsWith(DRAFT) && told.compareAndSet(false, true)) {
      LOG.warn(
          "a caller speaks CSI 0.x ({}); this driver serves csi.v1 only: use sidecars made for CSI"
              + " 1.0 or newer",
          method);
    }
    return null;
  }
}
