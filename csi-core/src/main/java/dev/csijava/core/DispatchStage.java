package dev.csijava.core;

import io.grpc.Context;

/**
 * Moves a call from the event loop to a thread that may block. Four kinds of calls have threads of
 * their own, so that none takes another hostage (rule K15): identity and capability calls, for
 * Probe is answered whatever else hangs; reads of a mounted file system or a back end that may hang
 * for ever, one at a time per volume; calls that make volumes and snapshots, since a copy may take
 * hours and pods must start and end meanwhile; and all others, of which one volume gets a quarter
 * of the threads.
 */
final class DispatchStage implements Stage {
  private final Pools pools;
  private final Stage next;

  DispatchStage(Pools pools, Stage next) {
    this.pools = pools;
    this.next = next;
  }

  @Override
  public void handle(Call call) {
    // Forked: interceptors' values stay, but a caller that goes away does not stop the work.
    pools.execute(call, Context.current().fork().wrap(() -> run(call)));
  }

  private void run(Call call) {
    try {
      next.handle(call);
    } catch (Throwable failure) {
      call.reply().fail(failure);
    }
  }
}
