package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListSnapshotsResponse;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a driver can't find needs no deletion and no detachment: its NOT_FOUND becomes OK in these
 * calls, since callers repeat an error for ever over nothing (rule K8; CTRL-DELETE-003,
 * CTRL-DELSNAP-003, GROUP-DELETE-004, CTRL-UNPUB-004 to 006). Nor is it an error of a list that its
 * filter matches nothing (rule K13; CTRL-LISTSNAP-013).
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
    GoneAlready.<ListSnapshotsRequest>decorate(
        handlers,
        Rpc.LIST_SNAPSHOTS,
        ListSnapshotsResponse.getDefaultInstance(),
        GoneAlready::isFiltered);
  }

  private static boolean isFiltered(ListSnapshotsRequest request) {
    return !request.getSnapshotId().isEmpty() || !request.getSourceVolumeId().isEmpty();
  }

  private static void decorate(Handlers handlers, Rpc rpc, Message done) {
    decorate(handlers, rpc, done, request -> true);
  }

  /**
   * @param wanted the requests to which nothing is an answer
   */
  private static <Q extends Message> void decorate(
      Handlers handlers, Rpc rpc, Message done, Predicate<Q> wanted) {
    handlers.<Q, Message>decorate(
        rpc,
        inner ->
            (request, call) -> {
              try {
                return inner.handle(request, call);
              } catch (CsiException e) {
                require(e.code() == Status.Code.NOT_FOUND && wanted.test(request), e);
              } catch (StatusRuntimeException e) {
                require(
                    e.getStatus().getCode() == Status.Code.NOT_FOUND && wanted.test(request), e);
              }
              LOG.debug("call {} {}: nothing was there, so it is done", call.id(), rpc.title());
              return done;
            });
  }

  private static void require(boolean harmless, RuntimeException failure) {
    if (!harmless) {
      throw failure;
    }
  }
}
