package dev.csijava.testkit.conformance;

import com.google.common.util.concurrent.Uninterruptibles;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.FutureTask;

/**
 * Takes back what a ledger holds, the last first, again and again over what stays: at least a few
 * times, and for as long as the driver says that it is still at it, but not for ever.
 */
final class Removal {
  private static final int PASSES = 5;
  private static final long SHORTEST_PAUSE_MILLIS = 25;
  private static final long LONGEST_PAUSE_MILLIS = 200;

  private static final Set<Status.Code> NOTHING_THERE =
      Set.of(Status.Code.NOT_FOUND, Status.Code.UNIMPLEMENTED);

  private final CallGate gate;
  private final Ledger ledger;
  private final Stubs stubs;
  private final Duration patience;

  /**
   * Of what this ledger holds.
   *
   * @param gate where the calls of the case go out; closed first
   * @param stubs whose calls the ledger observes, so that what is gone vanishes from it; not behind
   *     the gate
   * @param patience for how long calls are waited for that are under way, and then for how long a
   *     driver that is busy is asked again
   */
  Removal(CallGate gate, Ledger ledger, Stubs stubs, Duration patience) {
    this.gate = gate;
    this.ledger = ledger;
    this.stubs = stubs;
    this.patience = patience;
  }

  /**
   * Removes on a thread of its own: whoever breaks a case off interrupts the thread of the case,
   * and still wants it cleared away.
   *
   * @return what stays, one sentence each
   */
  List<String> run() {
    FutureTask<List<String>> task = new FutureTask<>(this::passes);
    Thread thread = new Thread(task, "csi-remove");
    thread.setDaemon(true);
    thread.start();
    Uninterruptibles.joinUninterruptibly(thread);
    try {
      return Uninterruptibles.getUninterruptibly(task);
    } catch (java.util.concurrent.ExecutionException e) {
      List<String> left = new ArrayList<>(ledger.held());
      left.add("the removal broke off: " + e.getCause());
      return left;
    }
  }

  private List<String> passes() throws InterruptedException {
    gate.close(patience);
    long end = System.nanoTime() + patience.toNanos();
    int inVain = 0;
    long pause = SHORTEST_PAUSE_MILLIS;
    while (true) {
      Set<Ledger.Entry> before = ledger.entries();
      Pass result = pass(ledger.latestFirst());
      Set<Ledger.Entry> after = ledger.entries();
      inVain = after.equals(before) ? inVain + 1 : 0;
      boolean over = inVain >= PASSES && (!result.busy || System.nanoTime() > end);
      if (after.isEmpty() || over) {
        return result.left;
      }
      if (!result.left.isEmpty()) {
        Uninterruptibles.sleepUninterruptibly(Duration.ofMillis(pause));
        pause = Math.min(pause * 2, LONGEST_PAUSE_MILLIS);
      }
    }
  }

  /** What one pass over the ledger could not take back. */
  private static final class Pass {
    private final List<String> left = new ArrayList<>();
    private boolean busy;
  }

  private Pass pass(List<Map.Entry<Ledger.Entry, Reversal>> entries) {
    Pass result = new Pass();
    for (Map.Entry<Ledger.Entry, Reversal> one : entries) {
      Ledger.Entry entry = one.getKey();
      Outcome<Boolean> outcome =
          Outcome.of(
              () -> {
                one.getValue().with(stubs);
                return true;
              });
      if (settles(entry, outcome)) {
        ledger.settle(entry);
      } else {
        result.left.add(entry + " could not be removed: " + outcome);
        result.busy |= Retries.nonFinal(outcome.code());
      }
    }
    return result;
  }

  /** A creation that is refused for good has made nothing. */
  private static boolean settles(Ledger.Entry entry, Outcome<Boolean> outcome) {
    return outcome.ok()
        || NOTHING_THERE.contains(outcome.code())
        || (entry.perhaps()
            && !Ledger.uncertain(outcome.code())
            && outcome.code() != Status.Code.ABORTED);
  }
}
