package dev.csijava.testkit.conformance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

/**
 * One call of a random sequence. Slots stand for names: what a slot is when the call is made is the
 * model's to know, so that a sequence stays one when calls are taken out of it.
 *
 * @param kind what is called
 * @param volume the slot of a volume
 * @param other the slot of a snapshot, a target or a size
 */
record ModelStep(Kind kind, int volume, int other) {
  static final int VOLUMES = 3;
  static final int SNAPSHOTS = 2;
  static final int TARGETS = 2;

  /** The calls that there are. */
  enum Kind {
    CREATE,
    RESTORE,
    CLONE,
    DELETE,
    SNAPSHOT,
    DELETE_SNAPSHOT,
    EXPAND,
    ATTACH,
    DETACH,
    STAGE,
    UNSTAGE,
    PUBLISH,
    UNPUBLISH,
    VALIDATE,
    LIST
  }

  private static final Map<Kind, Kind> ONWARDS =
      Map.of(Kind.CREATE, Kind.ATTACH, Kind.ATTACH, Kind.STAGE, Kind.STAGE, Kind.PUBLISH);

  /** A sequence that the random numbers make. */
  static List<ModelStep> sequence(Random random, int length) {
    Kind[] kinds = Kind.values();
    List<ModelStep> steps = new ArrayList<>();
    for (int i = 0; i < length; i++) {
      // Most random calls are about nothing unless there are volumes first.
      Kind kind = i < 2 ? Kind.CREATE : kinds[random.nextInt(kinds.length)];
      int volume = random.nextInt(VOLUMES);
      int other = random.nextInt(SNAPSHOTS);
      boolean goesOn = random.nextInt(3) > 0;
      ModelStep before = i < 2 ? null : steps.get(i - 1);
      Kind next = before == null || !goesOn ? null : ONWARDS.get(before.kind());
      // Hardly a volume would ever come to a node by chance alone.
      steps.add(
          before == null || next == null
              ? new ModelStep(kind, volume, other)
              : new ModelStep(next, before.volume(), other));
    }
    return steps;
  }

  @Override
  public String toString() {
    String name = kind.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    return switch (kind) {
      case LIST -> name;
      case DELETE_SNAPSHOT -> name + " s" + other;
      case SNAPSHOT -> name + " s" + other + " of v" + volume;
      case RESTORE -> name + " v" + volume + " from s" + other;
      case CLONE -> name + " v" + volume + " from v" + (volume + 1) % VOLUMES;
      case PUBLISH, UNPUBLISH -> name + " v" + volume + " at t" + other;
      case CREATE -> name + " v" + volume + (other == 0 ? "" : ", large");
      default -> name + " v" + volume;
    };
  }
}
