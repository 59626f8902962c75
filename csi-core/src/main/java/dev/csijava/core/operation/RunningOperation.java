package dev.csijava.core.operation;

import java.util.ArrayList;
import java.util.List;

/** One execution and everybody who waits for its outcome. */
final class RunningOperation<R> {
  private final List<Completion<R>> waiting = new ArrayList<>();
  private boolean closed;

  /** False once the work is over: then its outcome is no answer to a call that comes only now. */
  synchronized boolean join(Completion<R> done) {
    return !closed && waiting.add(done);
  }

  /** Lets nobody in any more. */
  synchronized List<Completion<R>> close() {
    closed = true;
    return List.copyOf(waiting);
  }
}
