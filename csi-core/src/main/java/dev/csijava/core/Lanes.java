package dev.csijava.core;

import io.grpc.Status;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls of one lane, usually of one volume, use a part of a pool only, so that however many of
 * them hang, threads are left for the others (rule K15). Those beyond it wait in order, without a
 * thread; those whose callers have gone away meanwhile never begin. A lane exists only while a call
 * is in it.
 */
final class Lanes {
  private final HandlerPool pool;
  private final int width;
  private final int longest;
  private final Map<String, Lane> lanes = new HashMap<>();

  /**
   * @param width how many calls of a lane run at once
   * @param longest how many more may wait
   */
  Lanes(HandlerPool pool, int width, int longest) {
    this.pool = pool;
    this.width = width;
    this.longest = longest;
  }

  /**
   * Runs the task in its turn on a thread of the pool.
   *
   * @throws CsiException UNAVAILABLE, which callers repeat, if too much is waiting already
   */
  void execute(String key, Call call, Runnable task) {
    Entry entry = new Entry(call, task);
    List<Entry> gone = new ArrayList<>();
    Turn turn = enter(key, entry, gone);
    gone.forEach(Entry::drop);
    switch (turn) {
      case NOW -> start(key, entry);
      case LATER -> {}
      case NEVER ->
          throw CsiException.unavailable(
              "too many " + call.rpc().title() + " calls wait for " + key + "; repeat the call",
              null);
    }
  }

  /** How many lanes there are: 0 when idle. */
  int size() {
    synchronized (lanes) {
      return lanes.size();
    }
  }

  private Turn enter(String key, Entry entry, List<Entry> gone) {
    synchronized (lanes) {
      Lane lane = lanes.computeIfAbsent(key, k -> new Lane());
      if (lane.running < width) {
        lane.running++;
        return Turn.NOW;
      }
      if (lane.waiting.size() >= longest) {
        takeGone(lane, gone);
      }
      return lane.waiting.size() < longest && lane.waiting.add(entry) ? Turn.LATER : Turn.NEVER;
    }
  }

  private void start(String key, Entry entry) {
    try {
      pool.execute(() -> run(key, entry));
    } catch (Throwable refusal) { // an Error too, or the place would be taken for ever
      leave(key);
      throw refusal;
    }
  }

  private void run(String key, Entry entry) {
    try {
      entry.task.run();
    } finally {
      leave(key);
    }
  }

  /** Hands the place of a call that is over to the next one. */
  private void leave(String key) {
    List<Entry> gone = new ArrayList<>();
    Entry next = next(key, gone);
    gone.forEach(Entry::drop);
    if (next != null) {
      try {
        start(key, next);
      } catch (Throwable refusal) {
        next.call.reply().fail(refusal);
      }
    }
  }

  private @Nullable Entry next(String key, List<Entry> gone) {
    synchronized (lanes) {
      Lane lane = lanes.get(key);
      if (lane == null) {
        return null;
      }
      takeGone(lane, gone);
      Entry next = lane.waiting.poll();
      if (next == null && --lane.running == 0) {
        lanes.remove(key);
      }
      return next;
    }
  }

  private static void takeGone(Lane lane, List<Entry> gone) {
    for (Iterator<Entry> entries = lane.waiting.iterator(); entries.hasNext(); ) {
      Entry entry = entries.next();
      if (entry.call.context().isCancelled()) {
        entries.remove();
        gone.add(entry);
      }
    }
  }

  private enum Turn {
    NOW,
    LATER,
    NEVER
  }

  /** Guarded by the monitor of all lanes. */
  private static final class Lane {
    private final Deque<Entry> waiting = new ArrayDeque<>();
    private int running;
  }

  private record Entry(Call call, Runnable task) {
    void drop() {
      call.reply()
          .fail(
              new CsiException(
                  Status.Code.CANCELLED, "the caller went away before the call was begun"));
    }
  }
}
