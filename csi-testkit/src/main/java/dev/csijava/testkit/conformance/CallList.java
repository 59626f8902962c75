package dev.csijava.testkit.conformance;

import dev.csijava.testkit.client.CallRecord;
import java.util.ArrayList;
import java.util.List;

/** The calls of one case. */
final class CallList {
  private static final int SHOWN = 20;

  private final List<CallRecord> calls = new ArrayList<>();

  synchronized void add(CallRecord call) {
    calls.add(call);
  }

  synchronized List<CallRecord> all() {
    return List.copyOf(calls);
  }

  /** The last ones, which led to where the case is. */
  synchronized List<CallRecord> latest() {
    return List.copyOf(calls.subList(Math.max(0, calls.size() - SHOWN), calls.size()));
  }
}
