package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.TopologyRequirement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** From where a volume can be reached. */
final class Placement {
  private static final Pattern PART =
      Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
  private static final Pattern PREFIX = Pattern.compile("[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?");

  private final List<Topology> known;
  private final int perVolume;

  Placement(List<Topology> known, int perVolume) {
    this.known = known;
    this.perVolume = perVolume;
  }

  static void wellFormed(TopologyRequirement requirement) {
    if (requirement.getRequisiteCount() == 0 && requirement.getPreferredCount() == 0) {
      throw Failure.invalid("accessibility_requirements needs requisite or preferred topologies");
    }
    requirement.getRequisiteList().forEach(Placement::wellFormed);
    requirement.getPreferredList().forEach(Placement::wellFormed);
    if (requirement.getRequisiteCount() > 0) {
      for (Topology preferred : requirement.getPreferredList()) {
        if (requirement.getRequisiteList().stream().noneMatch(one -> same(one, preferred))) {
          throw Failure.invalid("a preferred topology is not among the requisite ones");
        }
      }
    }
  }

  static void wellFormed(Topology topology) {
    for (Map.Entry<String, String> segment : topology.getSegmentsMap().entrySet()) {
      String key = segment.getKey();
      int slash = key.indexOf('/');
      boolean good =
          PART.matcher(key.substring(slash + 1)).matches()
              && (slash < 0 || PREFIX.matcher(key.substring(0, slash)).matches())
              && PART.matcher(segment.getValue()).matches();
      if (!good) {
        throw Failure.invalid("a topology has a malformed key or value");
      }
    }
    if (lowerCase(topology).size() < topology.getSegmentsCount()) {
      throw Failure.invalid("a topology has two keys that differ by case only");
    }
  }

  /**
   * Chooses as many topologies as a volume gets: preferred ones first, requisite ones only as long
   * as there are any.
   *
   * @param possible which have room and reach the source
   */
  List<Topology> choose(TopologyRequirement requirement, Predicate<Topology> possible) {
    Set<Topology> chosen = new LinkedHashSet<>();
    take(chosen, requirement.getPreferredList(), possible);
    take(chosen, requirement.getRequisiteList(), possible);
    int requisite = requirement.getRequisiteCount();
    if (requisite == 0 || (requisite < perVolume && chosen.size() == requisite)) {
      for (Topology any : known) {
        if (chosen.size() < perVolume && possible.test(any)) {
          chosen.add(any);
        }
      }
    }
    if (chosen.size() < perVolume) {
      throw Failure.exhausted("no room, or no way, in the topologies that were asked for");
    }
    return List.copyOf(chosen);
  }

  private void take(Set<Topology> chosen, List<Topology> asked, Predicate<Topology> possible) {
    for (Topology one : asked) {
      for (Topology candidate : known) {
        if (chosen.size() < perVolume && matches(candidate, one) && possible.test(candidate)) {
          chosen.add(candidate);
        }
      }
    }
  }

  /** Whether something that is reachable from some topologies meets the requirement. */
  static boolean meets(List<Topology> reachable, TopologyRequirement requirement) {
    List<Topology> wanted = new ArrayList<>(requirement.getRequisiteList());
    return wanted.isEmpty()
        || wanted.stream()
            .anyMatch(one -> reachable.stream().anyMatch(topology -> matches(topology, one)));
  }

  /** Whether a place lies in the topology that was asked for. */
  static boolean matches(Topology place, Topology asked) {
    return lowerCase(place).entrySet().containsAll(lowerCase(asked).entrySet());
  }

  private static boolean same(Topology one, Topology other) {
    return lowerCase(one).equals(lowerCase(other));
  }

  private static Map<String, String> lowerCase(Topology topology) {
    Map<String, String> segments = new HashMap<>();
    topology
        .getSegmentsMap()
        .forEach((key, value) -> segments.put(key.toLowerCase(Locale.ROOT), value));
    return segments;
  }
}
