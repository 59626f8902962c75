package dev.csijava.testkit.fake;

import java.util.ArrayList;
import java.util.List;

/**
 * The calls that a {@link FakeDriver} has answered, oldest first. Safe for use by several threads.
 *
 * @since 0.1.0
 */
public final class CallLog {
  private final List<RecordedCall> calls = new ArrayList<>();

  CallLog() {}

  synchronized void add(RecordedCall call) {
    calls.add(call);
  }

  /**
   * All calls so far.
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
