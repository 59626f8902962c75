package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Attributes;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One call through the stage that logs, answered at once. Lies in this package because stages are
 * nobody else's business.
 */
public final class LoggedCall {
  private static final Logger CALLS = LoggerFactory.getLogger("dev.csijava.call");

  private static final Stage ANSWER =
      call -> {
        call.reply().send(call.request());
        call.reply().end();
      };

  private final Stage logged = new LogStage(CALLS, ANSWER);
  private final Call call;

  /**
   * A call that can be made again and again.
   *
   * @param mutates whether it is logged at INFO, not at DEBUG
   */
  public LoggedCall(Message request, boolean mutates) {
    Rpc rpc = mutates ? Rpc.NODE_PUBLISH_VOLUME : Rpc.NODE_GET_VOLUME_STATS;
    call =
        new Call(rpc, request, new ServerCallContext(rpc, null, Attributes.EMPTY), new Ignored());
  }

  /** With the log. */
  public void withLog() {
    logged.handle(call);
  }

  /** Without. */
  public void withoutLog() {
    ANSWER.handle(call);
  }

  /** The text of a message as the log has it, without secrets. */
  public static String redacted(Message message) {
    return Redactor.print(message);
  }

  private static final class Ignored implements Reply {
    @Override
    public void send(Message response) {}

    @Override
    public void end() {}

    @Override
    public void fail(Throwable failure) {}
  }
}
