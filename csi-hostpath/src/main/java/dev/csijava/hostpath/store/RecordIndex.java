package dev.csijava.hostpath.store;

import dev.csijava.hostpath.state.Record;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The committed records of one kind in memory, by id in order and by name. Safe for threads. */
final class RecordIndex {
  private final ConcurrentNavigableMap<String, Record> byId = new ConcurrentSkipListMap<>();
  private final Map<String, String> idByName = new ConcurrentHashMap<>();

  Optional<Record> byId(String id) {
    return Optional.ofNullable(byId.get(id));
  }

  Optional<Record> byName(String name) {
    String id = idByName.get(name);
    return id == null ? Optional.empty() : byId(id);
  }

  /** Those whose id comes after the given one, or all, in the order of their ids; live. */
  Stream<Record> after(@Nullable String id) {
    return (id == null ? byId : byId.tailMap(id, false)).values().stream();
  }

  int size() {
    return byId.size();
  }

  /** Whether it was added: not if its id or its name is taken. */
  boolean add(Record record) {
    if (idByName.putIfAbsent(record.getName(), record.getId()) != null) {
      return false;
    }
    if (byId.putIfAbsent(record.getId(), record) != null) {
      idByName.remove(record.getName(), record.getId());
      return false;
    }
    return true;
  }

  /** Puts a record in the place of the one with its id and name. */
  void replace(Record record) {
    byId.replace(record.getId(), record);
  }

  /** Whether it was there. */
  boolean remove(Record record) {
    boolean removed = byId.remove(record.getId()) != null;
    idByName.remove(record.getName(), record.getId());
    return removed;
  }
}
