package dev.csijava.core;

/** Refuses RPCs that nothing was registered for. */
final class CapabilityStage implements Stage {
  private final Handlers handlers;
  private final Stage next;

  CapabilityStage(Handlers handlers, Stage next) {
    this.handlers = handlers;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    if (!handlers.has(call.rpc())) {
      throw CsiException.unimplemented(
          call.rpc().title()
              + " is not served here: this process lacks "
              + call.rpc().capability());
    }
    next.handle(call);
  }
}
