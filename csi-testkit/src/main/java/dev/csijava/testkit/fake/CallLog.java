package dev.csijava.testkit.fake;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * The calls that a {@link FakeDriver} has answered, oldest first. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class CallLog {
  private final Deque<RecordedCall> calls = new ArrayDeque<>();
  private final int most;

  /** Keeps so many, and forgets the oldest beyond. */
  CallLog(int most) {
    this.most = most;
  }

  synchronized void add(RecordedCall call) {
    calls.add(call);
    if (calls.size() > most) {
      calls.remove();
    }
  }

  /**
   * All calls so far, or the last ones where {@link FakeDriverBuilder#callsKept} says how many.
   *
   * @since 0.1.0
   */
  public synchronized List<RecordedCall> all() {
    return List.copyOf(calls);
  }

  /**
   * All calls of one RPC so far.
   *
   * @param rpc its bare name, such as CreateVolume
   * @since 0.1.0
   */
  public List<RecordedCall> of(String rpc) {
    return all().stream().filter(call -> call.rpc().equals(rpc)).toList();
  }

  /**
   * The bare names of the RPCs called so far, in order.
   *
   * @since 0.1.0
   */
  public List<String> names() {
    return all().stream().map(RecordedCall::rpc).toList();
  }

  /**
   * Forgets all calls.
   *
   * @since 0.1.0
   */
  public synchronized void clear() {
    calls.clear();
  }
}
