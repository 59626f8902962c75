package dev.csijava.core;

import io.grpc.Context;

/**
 * Moves a call from the event loop to a thread that may block. Identity and capability calls have
 * threads of their own, so that drivers full of hung calls still answer Probe (rule K15).
 */
final class DispatchStage implements Stage {
  private final HandlerPool handlers;
  private final HandlerPool identity;
  private final Stage next;

  DispatchStage(HandlerPool handlers, HandlerPool identity, Stage next) {
    this.handlers = handlers;
    this.identity = identity;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    HandlerPool pool = call.rpc().effect() == Rpc.Effect.IDENTITY ? identity : handlers;
    // Forked: interceptors' values stay, but a caller that goes away does not stop the work.
    pool.execute(Context.current().fork().wrap(() -> run(call)));
  }

  private void run(Call call) {
    try {
      next.handle(call);
    } catch (Throwable failure) {
      call.reply().fail(failure);
    }
  }
}
