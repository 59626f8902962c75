package dev.csijava.core;

import java.time.Duration;

/** The threads of a server, and who may use them. */
final class Pools implements AutoCloseable {
  private static final int IDENTITY_THREADS = 2;
  private static final int IDENTITY_WAITING = 256;
  private static final int STORAGE_WAITING_PER_VOLUME = 32;
  private static final int SHARE_OF_ONE_LANE = 4;

  private final HandlerPool identity =
      new HandlerPool("csi-identity", IDENTITY_THREADS, IDENTITY_WAITING);
  private final HandlerPool storage;
  private final HandlerPool creates;
  private final HandlerPool handlers;
  private final Lanes storageLanes;
  private final Lanes createLanes;
  private final Lanes handlerLanes;

  Pools(int threads, int waiting) {
    storage = new HandlerPool("csi-storage", threads, waiting);
    storageLanes = new Lanes(storage, 1, STORAGE_WAITING_PER_VOLUME);
    int share = Math.max(2, threads / SHARE_OF_ONE_LANE);
    creates = new HandlerPool("csi-create", threads, waiting);
    createLanes = new Lanes(creates, share, waiting / 2);
    handlers = new HandlerPool("csi-call", threads, waiting);
    handlerLanes = new Lanes(handlers, share, waiting / 2);
  }

  /**
   * Runs the task on a thread of its kind.
   *
   * @throws CsiException UNAVAILABLE, which callers repeat, if too much is waiting already
   */
  void execute(Call call, Runnable task) {
    String lane = LaneKeys.of(call);
    switch (call.rpc().effect()) {
      case IDENTITY -> identity.execute(task);
      case READS_STORAGE -> storageLanes.execute(lane, call, task);
      case CREATES -> execute(creates, createLanes, lane, call, task);
      case READS, MUTATES -> execute(handlers, handlerLanes, lane, call, task);
    }
  }

  private static void execute(
      HandlerPool pool, Lanes lanes, String lane, Call call, Runnable task) {
    if (lane.isEmpty()) {
      pool.execute(task);
    } else {
      lanes.execute(lane, call, task);
    }
  }

  /** Waits for work under way, also for work whose caller has gone away, unless it only reads. */
  boolean drain(Duration atMost) throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    boolean drained = handlers.drain(atMost);
    Duration left = Duration.ofNanos(Math.max(0, end - System.nanoTime()));
    return creates.drain(left) && drained;
  }

  @Override
  public void close() {
    handlers.close();
    creates.close();
    storage.close();
    identity.close();
  }
}
