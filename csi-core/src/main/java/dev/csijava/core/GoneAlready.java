package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a driver can't find needs no deletion and no detachment: its NOT_FOUND becomes OK in these
 * calls, since callers repeat an error for ever over nothing (rule K8; CTRL-DELETE-003,
 * CTRL-DELSNAP-003, GROUP-DELETE-004, CTRL-UNPUB-004 to 006).
 */
final class GoneAlready {
  private static final Logger LOG = LoggerFactory.getLogger(GoneAlready.class);

  private GoneAlready() {}

  static void answer(Handlers handlers) {
    decorate(handlers, Rpc.DELETE_VOLUME, DeleteVolumeResponse.getDefaultInstance());
    decorate(handlers, Rpc.DELETE_SNAPSHOT, DeleteSnapshotResponse.getDefaultInstance());
    decorate(
        handlers,
        Rpc.DELETE_VOLUME_GROUP_SNAPSHOT,
        DeleteVolumeGroupSnapshotResponse.getDefaultInstance());
    decorate(
        handlers,
        Rpc.CONTROLLER_UNPUBLISH_VOLUME,
        ControllerUnpublishVolumeResponse.getDefaultInstance());
  }

  private static void decorate(Handlers handlers, Rpc rpc, Message done) {
    handlers.<Message, Message>decorate(
        rpc,
        inner ->
            (request, call) -> {
              try {
                return inner.handle(request, call);
              } catch (CsiException e) {
                requireNotFound(e, e.code());
              } catch (StatusRuntimeException e) {
                requireNotFound(e, e.getStatus().getCode());
              }
              LOG.debug("call {} {}: nothing was there, so it is done", call.id(), rpc.title());
              return done;
            });
  }

  private static void requireNotFound(RuntimeException failure, Status.Code code) {
    if (code != Status.Code.NOT_FOUND) {
      throw failure;
    }
  }
}
