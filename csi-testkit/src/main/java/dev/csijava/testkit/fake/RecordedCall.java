package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import io.grpc.Status;
import java.util.List;

/**
 * A call that the driver has answered.
 *
 * @param rpc the bare name of the RPC
 * @param request what came, secrets included: this is a driver for tests
 * @param replies what went back; one message, or any number for a stream, or none after a failure
 * @param status how it ended
 * @since 0.1.0
 */
public record RecordedCall(String rpc, Message request, List<Message> replies, Status status) {
  /**
   * Keeps a copy of the list.
   *
   * @since 0.1.0
   */
  public RecordedCall {
    replies = List.copyOf(replies);
  }

  /**
   * The request as the type that it has.
   *
   * @since 0.1.0
   */
  public <T extends Message> T request(Class<T> type) {
    return type.cast(request);
  }

  /**
   * The only reply as the type that it has; fails if there is none.
   *
   * @since 0.1.0
   */
  public <T extends Message> T reply(Class<T> type) {
    return type.cast(replies.get(0));
  }

  /**
   * Whether the caller got a reply.
   *
   * @since 0.1.0
   */
  public boolean ok() {
    return status.isOk();
  }
}
