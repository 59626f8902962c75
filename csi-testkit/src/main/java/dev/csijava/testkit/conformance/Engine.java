package dev.csijava.testkit.conformance;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A part of the kit that does more than one call and one look: it plays a caller, a storm, a crash.
 * Its cases have ids that begin with {@code engine-} and its name.
 *
 * @since 0.1.0
 */
public enum Engine {
  /** Every mutating call again and again. */
  REPLAY,
  /** What Kubernetes' callers really do. */
  CALLERS,
  /** Random calls against a model. */
  MODEL,
  /** Storms of calls at one moment. */
  CONCURRENCY,
  /** kill -9 in the middle of calls. */
  CRASH,
  /** Canaries in every secret field. */
  SECRETS,
  /** What no honest caller sends. */
  HOSTILE;

  /**
   * Reads names, letter case aside; {@code all} and {@code none} are names too.
   *
   * @throws IllegalArgumentException with a sentence, if one is no engine
   * @since 0.1.0
   */
  public static Set<Engine> parse(Iterable<String> names) {
    Set<Engine> engines = EnumSet.noneOf(Engine.class);
    for (String name : names) {
      switch (name.strip().toLowerCase(Locale.ROOT)) {
        case "all" -> engines.addAll(EnumSet.allOf(Engine.class));
        case "none", "" -> {}
        default -> engines.add(named(name.strip()));
      }
    }
    return engines;
  }

  private static Engine named(String name) {
    for (Engine engine : values()) {
      if (engine.word().equals(name.toLowerCase(Locale.ROOT))) {
        return engine;
      }
    }
    throw new IllegalArgumentException(
        "there is no engine "
            + name
            + "; give all, none or some of replay, callers, model, concurrency, crash, secrets,"
            + " hostile");
  }

  /** The engine that a case belongs to; nothing for the others. */
  static Optional<Engine> of(Case tested) {
    for (Engine engine : values()) {
      if (tested.id().startsWith("engine-" + engine.word())) {
        return Optional.of(engine);
      }
    }
    return Optional.empty();
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
