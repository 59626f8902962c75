package dev.csijava.core;

import com.google.protobuf.Message;

/** Where answers go that nobody looks at. */
class NoReply implements Reply {
  @Override
  public void send(Message response) {}

  @Override
  public void end() {}

  @Override
  public void fail(Throwable failure) {
    throw new AssertionError(failure);
  }
}
