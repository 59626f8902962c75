package dev.csijava.core;

import com.google.protobuf.Message;

/** One call on its way through the pipeline. */
record Call(Rpc rpc, Message request, CallContext context, Reply reply) {
  Call replyingTo(Reply other) {
    return new Call(rpc, request, context, other);
  }

  Call inContext(CallContext other) {
    return new Call(rpc, request, other, reply);
  }
}
