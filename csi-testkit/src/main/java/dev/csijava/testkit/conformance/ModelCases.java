package dev.csijava.testkit.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The model engine: random calls, every answer held against a model, failures made short. */
final class ModelCases implements CaseGroup {
  private static final String ROW = "ENGINE-MODEL-001";
  private static final int SEQUENCES = 6;
  private static final int LENGTH = 30;
  private static final int MOST_ATTEMPTS = 60;
  private static final long LONGEST_NANOS = 12_000_000_000L;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("engine-model", "Random calls against a model", ModelCases::sequences, ROW)
            .runAlone());
  }

  private static void sequences(CaseContext c) {
    long seed = c.settings().seed();
    c.note(ROW, "--seed " + seed);
    long end = System.nanoTime() + LONGEST_NANOS;
    int made = 0;
    // One is always made; how many more depends on how quick the driver is.
    for (; made == 0 || (made < SEQUENCES && System.nanoTime() < end); made++) {
      // Each has a seed of its own, with which it is the first one of another run.
      List<ModelStep> steps = ModelStep.sequence(new Random(seed + made), LENGTH);
      Optional<String> wrong = ModelRun.of(c, steps);
      if (wrong.isPresent()) {
        List<ModelStep> few = shrunk(steps, tried -> ModelRun.of(c, tried));
        String why = ModelRun.of(c, few).orElse(wrong.get() + " (not each time)");
        c.check(
            ROW,
            false,
            "what the model allows (--seed " + (seed + made) + ")",
            why + "; " + text(few));
        return;
      }
    }
    c.check(ROW, true, "", "");
    c.note(ROW, made + " sequences of " + LENGTH + " calls");
  }

  private static String text(List<ModelStep> steps) {
    return steps.stream().map(ModelStep::toString).collect(Collectors.joining("; "));
  }

  /** Takes calls out, large pieces first, as long as something stays wrong. */
  static <T> List<T> shrunk(List<T> failing, Function<List<T>, Optional<String>> run) {
    List<T> best = failing;
    int attempts = 0;
    for (int piece = Math.max(1, best.size() / 2); piece >= 1; piece /= 2) {
      int from = 0;
      while (from < best.size() && attempts < MOST_ATTEMPTS) {
        List<T> without = new ArrayList<>(best.subList(0, from));
        without.addAll(best.subList(Math.min(best.size(), from + piece), best.size()));
        attempts++;
        if (run.apply(without).isPresent()) {
          best = without;
        } else {
          from += piece;
        }
      }
    }
    return best;
  }
}
