package dev.csijava.core;

import com.google.protobuf.Message;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives the one request of a call and starts it on its way. Runs on the event loop. */
final class GrpcCallHandler implements ServerCallHandler<Object, Message> {
  /** What is no call for the pipeline is in the log all the same. */
  private static final Logger CALLS = LoggerFactory.getLogger("dev.csijava.call");

  private final Rpc rpc;
  private final Stage pipeline;

  GrpcCallHandler(Rpc rpc, Stage pipeline) {
    this.rpc = rpc;
    this.pipeline = pipeline;
  }

  @Override
  public ServerCall.Listener<Object> startCall(ServerCall<Object, Message> call, Metadata headers) {
    // Two, so that a second message is seen and refused rather than left in the transport.
    call.request(2);
    return new RequestListener(call);
  }

  private final class RequestListener extends ServerCall.Listener<Object> {
    private final ServerCallContext context;
    private final ServerCall<Object, Message> call;
    private final GrpcReply reply;
    private @Nullable Object request;
    private boolean refused;

    RequestListener(ServerCall<Object, Message> call) {
      this.call = call;
      this.context =
          new ServerCallContext(rpc, Context.current().getDeadline(), call.getAttributes());
      this.reply = new GrpcReply(call, rpc.streams());
    }

    @Override
    public void onMessage(Object message) {
      if (request != null) {
        refuse("the call carries more than one request");
      }
      request = message;
    }

    @Override
    public void onHalfClose() {
      if (refused) {
        return;
      }
      if (request instanceof Message message) {
        pipeline.handle(new Call(rpc, message, context, reply));
      } else {
        refuse(
            request == null
                ? "the call carries no request"
                : "the bytes of the request are no " + rpc.title() + " request");
      }
    }

    @Override
    public void onCancel() {
      context.cancel();
      reply.wake();
    }

    @Override
    public void onReady() {
      reply.wake();
    }

    private void refuse(String sentence) {
      if (!refused) {
        refused = true;
        CALLS.info("call {} {} INVALID_ARGUMENT: {}", context.id(), rpc.title(), sentence);
        call.close(Status.INVALID_ARGUMENT.withDescription(sentence), new Metadata());
      }
    }
  }
}
