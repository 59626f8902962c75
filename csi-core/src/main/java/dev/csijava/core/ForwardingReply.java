package dev.csijava.core;

import com.google.protobuf.Message;

/** A reply that passes everything on; stages override what they want to see. */
abstract class ForwardingReply implements Reply {
  private final Reply next;

  ForwardingReply(Reply next) {
    this.next = next;
  }

  @Override
  public void send(Message response) {
    next.send(response);
  }

  @Override
  public void end() {
    next.end();
  }

  @Override
  public void fail(Throwable failure) {
    next.fail(failure);
  }
}
