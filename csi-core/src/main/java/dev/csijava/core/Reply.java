package dev.csijava.core;

import com.google.protobuf.Message;

/**
 * Where the answer to a call goes. Any thread may use it, one at a time: messages, then exactly one
 * of {@link #end} and {@link #fail}.
 */
interface Reply {
  /** One response; blocks while the caller of a stream is slow. */
  void send(Message response);

  /** All was sent. */
  void end();

  /** The call failed; whatever was sent before stays sent. */
  void fail(Throwable failure);
}
