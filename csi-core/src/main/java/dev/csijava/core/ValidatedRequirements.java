package dev.csijava.core;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Which rows of the requirement inventory the validation keeps, for the documentation. */
final class ValidatedRequirements {
  private ValidatedRequirements() {}

  /** Rows that hold whatever the driver does, with how. */
  static SortedMap<String, String> kept() {
    return collect(Rule::requirements);
  }

  /** Rows of which the validation keeps a part, and the driver must keep the rest. */
  static SortedMap<String, String> keptInPart() {
    SortedMap<String, String> partly = collect(Rule::partOf);
    partly.keySet().removeAll(kept().keySet());
    return partly;
  }

  /** Rows that ask to accept something: the validation lets it through, the driver serves it. */
  static SortedMap<String, String> letThrough() {
    return new TreeMap<>(
        Map.ofEntries(
            Map.entry("CTRL-CREATE-012", "a name of 128 bytes passes"),
            Map.entry("CTRL-CREATE-013", "a name with any Unicode but control characters passes"),
            Map.entry("CTRL-CREATE-015", "a request without capacity_range passes"),
            Map.entry("CTRL-EXPAND-017", "a request without volume_capability passes"),
            Map.entry("CTRL-PUB-022", "a node_id of 256 bytes passes"),
            Map.entry("CTRL-SNAP-009", "a name of 128 bytes passes"),
            Map.entry("CTRL-SNAP-010", "a name with any Unicode but control characters passes"),
            Map.entry("CTRL-UNPUB-008", "an empty node_id passes"),
            Map.entry("GEN-FIELD-005", "optional fields may be left out"),
            Map.entry("GEN-FIELD-006", "a zero that means something is not taken for missing"),
            Map.entry("GEN-MODE-008", "SINGLE_NODE_WRITER passes in every controller call"),
            Map.entry("GEN-MODE-009", "SINGLE_NODE_WRITER passes in every node call"),
            Map.entry("GEN-RANGE-003", "a range with one bound passes"),
            Map.entry("GEN-RANGE-004", "a range with equal bounds passes"),
            Map.entry("GEN-SEC-004", "secrets meant for other calls pass"),
            Map.entry("GEN-SIZE-003", "a text of 128 bytes passes"),
            Map.entry("GEN-SIZE-004", "a map of 4 KiB passes"),
            Map.entry("GEN-SIZE-007", "a path of 4095 bytes passes"),
            Map.entry("GEN-VCAP-004", "an empty fs_type passes"),
            Map.entry("GROUP-CREATE-021", "a name of 128 bytes of any Unicode passes"),
            Map.entry("NODE-EXPAND-013", "a request without capacity_range passes"),
            Map.entry("NODE-EXPAND-014", "a request without volume_capability passes"),
            Map.entry("NODE-EXPAND-018", "a path of 128 bytes passes"),
            Map.entry("NODE-PUB-032", "a path of 128 bytes passes"),
            Map.entry("NODE-STAGE-010", "a path of 128 bytes passes"),
            Map.entry("NODE-STATS-014", "a path of 128 bytes passes"),
            Map.entry("NODE-UNPUB-010", "a path of 128 bytes passes"),
            Map.entry("NODE-UNSTAGE-008", "a path of 128 bytes passes")));
  }

  /** Rows that a table of fields could keep and that are left to the driver, with the reason. */
  static SortedMap<String, String> leftToDriver() {
    String group =
        "empty snapshot_ids pass: the driver looks the group up first, since csi-sanity names none"
            + " for an unknown group";
    return new TreeMap<>(Map.of("GROUP-DELETE-003", group, "GROUP-GET-003", group));
  }

  private interface Ids {
    Iterable<String> of(Rule rule);
  }

  private static SortedMap<String, String> collect(Ids ids) {
    SortedMap<String, Set<String>> phrases = new TreeMap<>();
    RuleTable.requests().forEach((place, rule) -> add(phrases, place, rule, ids));
    RuleTable.answers().forEach((place, rule) -> add(phrases, place, rule, ids));
    MetadataRules.ofStreams().forEach(rule -> add(phrases, "stream", rule, ids));
    return phrases.entrySet().stream()
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                entry -> String.join("; ", entry.getValue()),
                (one, other) -> one,
                TreeMap::new));
  }

  // A general requirement holds in so many places that naming them says nothing.
  private static void add(
      SortedMap<String, Set<String>> phrases, String place, Rule rule, Ids ids) {
    for (String id : ids.of(rule)) {
      boolean general = place.isEmpty() || id.startsWith("GEN-");
      phrases
          .computeIfAbsent(id, key -> new LinkedHashSet<>())
          .add(general ? rule.description() : place + " " + rule.description());
    }
  }
}
