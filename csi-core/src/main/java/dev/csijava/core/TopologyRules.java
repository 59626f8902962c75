package dev.csijava.core;

import dev.csijava.core.FieldRule.Kind;
import dev.csijava.spec.v1.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What holds for the segments of a topology, and how two topologies compare. */
final class TopologyRules {
  private TopologyRules() {}

  /** Rules for {@code Topology.segments} in requests. */
  static FieldRule[] ofRequests(FieldRules factory) {
    return new FieldRule[] {
      names(factory, "GEN-TOPO-008"),
      prefixes(factory, "GEN-TOPO-008"),
      values(factory, "GEN-TOPO-008"),
      distinct(factory, "GEN-TOPO-006", "GEN-TOPO-008"),
    };
  }

  /** Rules for {@code Topology.segments} in answers. */
  static FieldRule[] ofAnswers(FieldRules factory) {
    return new FieldRule[] {
      names(factory, "GEN-TOPO-001", "GEN-TOPO-002"),
      prefixes(factory, "GEN-TOPO-003"),
      values(factory, "GEN-TOPO-007"),
      distinct(factory, "GEN-TOPO-006"),
      onePrefix(factory, "GEN-TOPO-005"),
    };
  }

  /** The segments of a topology; keys that differ by case alone are the same key. */
  static Map<String, String> place(Topology topology) {
    Map<String, String> segments = new HashMap<>();
    topology
        .getSegmentsMap()
        .forEach((key, value) -> segments.put(key.toLowerCase(Locale.ROOT), value));
    return segments;
  }

  /** Whether no place lies in both, since they say different things under one key. */
  static boolean conflict(Topology a, Topology b) {
    for (Map.Entry<String, String> entry : a.getSegmentsMap().entrySet()) {
      String other = valueOf(b, entry.getKey());
      if (other != null && !other.equals(entry.getValue())) {
        return true;
      }
    }
    return false;
  }

  private static @Nullable String valueOf(Topology topology, String key) {
    String exact = topology.getSegmentsMap().get(key);
    if (exact != null) {
      return exact;
    }
    for (Map.Entry<String, String> entry : topology.getSegmentsMap().entrySet()) {
      if (entry.getKey().equalsIgnoreCase(key)) {
        return entry.getValue();
      }
    }
    return null;
  }

  private static FieldRule names(FieldRules factory, String... ids) {
    return eachKey(factory, "has keys with a legal name part", NameSyntax::topologyName, ids);
  }

  private static FieldRule prefixes(FieldRules factory, String... ids) {
    return eachKey(factory, "has keys with a legal prefix", NameSyntax::topologyPrefix, ids);
  }

  private interface KeyCheck {
    @Nullable String problem(String key);
  }

  private static FieldRule eachKey(
      FieldRules factory, String description, KeyCheck check, String... ids) {
    return factory.rule(
        Kind.KEYS,
        description,
        (value, rule, walk) -> {
          for (String key : FieldRules.map(value).keySet()) {
            String problem = check.problem(key);
            if (problem != null) {
              walk.broken(rule, problem);
              return;
            }
          }
        },
        ids);
  }

  private static FieldRule values(FieldRules factory, String... ids) {
    return factory.value(
        "has legal values",
        (value, rule, walk) -> {
          for (Map.Entry<String, String> entry : FieldRules.map(value).entrySet()) {
            String problem = NameSyntax.topologyValue(entry.getKey(), entry.getValue());
            if (problem != null) {
              walk.broken(rule, problem);
              return;
            }
          }
        },
        ids);
  }

  private static FieldRule distinct(FieldRules factory, String... ids) {
    return factory.rule(
        Kind.KEYS,
        "has no two keys that differ by case alone",
        (value, rule, walk) -> {
          Map<String, String> segments = FieldRules.map(value);
          if (segments.size() < 2) {
            return;
          }
          Set<String> seen = new HashSet<>();
          for (String key : segments.keySet()) {
            if (!seen.add(key.toLowerCase(Locale.ROOT))) {
              walk.broken(
                  rule,
                  "has the key" + TextChecks.echo(key) + " twice, but for its case; keep one");
              return;
            }
          }
        },
        ids);
  }

  // The specification wants one prefix for all that a plugin ever returns. This sees one topology.
  private static FieldRule onePrefix(FieldRules factory, String id) {
    return factory
        .rule(
            Kind.KEYS,
            "has the same prefix on all keys of one topology",
            (value, broken, walk) -> {
              List<String> keys = List.copyOf(FieldRules.map(value).keySet());
              for (int i = 1; i < keys.size(); i++) {
                if (!prefix(keys.get(i)).equals(prefix(keys.get(0)))) {
                  walk.broken(broken, "has keys with different prefixes; use one prefix");
                  return;
                }
              }
            },
            id)
        .partly();
  }

  private static String prefix(String key) {
    return key.substring(0, Math.max(0, key.indexOf('/'))).toLowerCase(Locale.ROOT);
  }
}
