package dev.csijava.testkit.fake;

import com.google.protobuf.Message;
import io.grpc.Status;
import java.util.List;

/**
 * One way in which a driver is broken: it sees another request than was sent, or sends another
 * answer than it found. The kit's own tests break the driver with these, each time one rule.
 */
interface Deviation {
  /** What the driver takes the request for. */
  default Message request(String rpc, Message request) {
    return request;
  }

  /** Whatever else happens before the driver works. */
  default void before(FakeState state, String rpc, Message request) {}

  /** What becomes of an answer; called once a call, when it ends. */
  default Outcome end(String rpc, Message request, Outcome outcome) {
    return outcome;
  }

  /** The replies and the status. */
  record Outcome(List<Message> replies, Status status) {
    static Outcome of(Message reply) {
      return new Outcome(List.of(reply), Status.OK);
    }

    static Outcome of(Status status) {
      return new Outcome(List.of(), status);
    }
  }
}
