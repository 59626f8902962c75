package dev.csijava.testkit.conformance;

import java.time.Duration;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits as callers do: by asking again. */
final class Patience {
  private static final long PAUSE_MILLIS = 250;

  private Patience() {}

  /** The first answer that is as wished, or the last one after so many questions. */
  static <T> T times(int most, Supplier<T> ask, Predicate<T> wished) {
    T answer = ask.get();
    for (int asked = 1; asked < most && !wished.test(answer) && pause(); asked++) {
      answer = ask.get();
    }
    return answer;
  }

  /** The first answer that is as wished, or the last one when the time is over. */
  static <T> T until(Duration atMost, Supplier<T> ask, Predicate<T> wished) {
    long end = System.nanoTime() + atMost.toNanos();
    T answer = ask.get();
    while (!wished.test(answer) && System.nanoTime() < end && pause()) {
      answer = ask.get();
    }
    return answer;
  }

  /** False for a thread that is interrupted. */
  private static boolean pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
