package dev.csijava.testkit.client;

import com.google.protobuf.Message;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.List;

/**
 * Told of every call when it has ended. Called on threads of gRPC, several at once; must not block.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface CallObserver {
  /**
   * A call has ended.
   *
   * @param call the call for people to read, without secrets
   * @param request what was sent, secrets included
   * @param responses what came; none after most refusals
   * @param status how it ended
   * @param trailers what came with the status
   * @since 0.1.0
   */
  void ended(
      CallRecord call, Message request, List<Message> responses, Status status, Metadata trailers);
}
