package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.core.metadata.ReplyStream;

/** What answers an RPC in the end: the driver's method behind a uniform face. */
sealed interface Handler {
  /** One request, one response. */
  non-sealed interface Unary<Q extends Message, R extends Message> extends Handler {
    R handle(Q request, CallContext call);
  }

  /** One request, a stream of responses. */
  non-sealed interface Streaming<Q extends Message, R extends Message> extends Handler {
    void handle(Q request, ReplyStream<R> replies, CallContext call);
  }
}
