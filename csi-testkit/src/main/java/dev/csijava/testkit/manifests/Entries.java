package dev.csijava.testkit.manifests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A map of a manifest as it grows, in the order in which people read it. */
final class Entries {
  private final Map<String, Object> map = new LinkedHashMap<>();

  static Entries of(String key, Object value) {
    return new Entries().put(key, value);
  }

  /** An object of the cluster. */
  static Entries object(String version, String kind, Map<String, Object> metadata) {
    return of("apiVersion", version).put("kind", kind).put("metadata", metadata);
  }

  Entries put(String key, Object value) {
    map.put(key, value);
    return this;
  }

  Entries putIf(boolean wanted, String key, Object value) {
    return wanted ? put(key, value) : this;
  }

  /** Leaves out what is empty. */
  Entries putFilled(String key, List<?> list) {
    return putIf(!list.isEmpty(), key, list);
  }

  /** Leaves out what is empty. */
  Entries putFilled(String key, Map<String, ?> values) {
    return putIf(!values.isEmpty(), key, values);
  }

  Map<String, Object> map() {
    return map;
  }
}
