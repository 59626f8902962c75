package dev.csijava.core.mount;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Makes a failing list of steps short: takes away ever smaller pieces while it still fails. */
final class Shrinker {
  private Shrinker() {}

  /** A list that still fails, and of which no single step can be left out. */
  static <T> List<T> shrink(List<T> failing, Predicate<List<T>> fails) {
    List<T> steps = failing;
    int piece = Math.max(1, steps.size() / 2);
    while (true) {
      boolean smaller = false;
      for (int from = 0; from < steps.size(); ) {
        List<T> less = new ArrayList<>(steps.subList(0, from));
        less.addAll(steps.subList(Math.min(from + piece, steps.size()), steps.size()));
        if (fails.test(less)) {
          steps = less;
          smaller = true;
        } else {
          from += piece;
        }
      }
      if (piece == 1 && !smaller) {
        return steps;
      }
      piece = Math.max(1, piece / 2);
    }
  }
}
