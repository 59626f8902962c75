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

  /** Whether nobody who still listens waits for the outcome; a later call may yet join. */
  synchronized boolean isAbandoned() {
    return waiting.stream().allMatch(Completion::isAbandoned);
  }

  /**
   * Lets go of those who listen no more, so that a caller which retries for hours leaves nothing.
   */
  synchronized List<Completion<R>> takeAbandoned() {
    if (closed) {
      return List.of();
    }
    List<Completion<R>> gone = waiting.stream().filter(Completion::isAbandoned).toList();
    waiting.removeAll(gone);
    return gone;
  }

  /**
   * Lets nobody in any more if nobody who still listens waits for the outcome: then the work need
   * not begin.
   */
  synchronized boolean closeIfAbandoned() {
    closed |= isAbandoned();
    return closed;
  }

  /** Lets nobody in any more. */
  synchronized List<Completion<R>> close() {
    closed = true;
    return List.copyOf(waiting);
  }
}
