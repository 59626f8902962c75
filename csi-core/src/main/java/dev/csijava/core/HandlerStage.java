package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.core.metadata.ReplyStream;

/** The end of the pipeline: calls the driver's method on the present thread. */
final class HandlerStage implements Stage {
  private final Handlers handlers;

  HandlerStage(Handlers handlers) {
    this.handlers = handlers;
  }

  @Override
  public void handle(Call call) {
    Handler handler =
        handlers
            .find(call.rpc())
            .orElseThrow(() -> new IllegalStateException(call.rpc() + " passed the gate"));
    if (handler instanceof Handler.Unary<?, ?> unary) {
      call.reply().send(answer(unary, call));
    } else if (handler instanceof Handler.Streaming<?, ?> streaming) {
      stream(streaming, call);
    }
    call.reply().end();
  }

  @SuppressWarnings("unchecked") // the RPC's method descriptor and its handler have one type
  private static Message answer(Handler.Unary<?, ?> handler, Call call) {
    Message response =
        ((Handler.Unary<Message, Message>) handler).handle(call.request(), call.context());
    if (response == null) {
      throw new IllegalStateException("the handler of " + call.rpc() + " returned null");
    }
    return response;
  }

  @SuppressWarnings("unchecked")
  private static void stream(Handler.Streaming<?, ?> handler, Call call) {
    ReplyStream<Message> replies = call.reply()::send;
    ((Handler.Streaming<Message, Message>) handler).handle(call.request(), replies, call.context());
  }
}
