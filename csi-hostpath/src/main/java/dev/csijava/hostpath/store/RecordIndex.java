package dev.csijava.hostpath.store;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.csijava.hostpath.state.Record;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The committed records of one kind in memory, by id in order and by name. Each is kept as its
 * bytes, which take a fifth of the room that the message takes, and is parsed when it is asked for.
 * Safe for use by several threads.
 */
final class RecordIndex {
  private final ConcurrentNavigableMap<String, byte[]> byId = new ConcurrentSkipListMap<>();
  private final Map<String, String> idByName = new ConcurrentHashMap<>();

  Optional<Record> byId(String id) {
    return Optional.ofNullable(byId.get(id)).map(RecordIndex::parsed);
  }

  Optional<Record> byName(String name) {
    String id = idByName.get(name);
    return id == null ? Optional.empty() : byId(id);
  }

  /** Those whose id comes after the given one, or all, in the order of their ids; live. */
  Stream<Record> after(@Nullable String id) {
    return (id == null ? byId : byId.tailMap(id, false)).values().stream().map(RecordIndex::parsed);
  }

  private static Record parsed(byte[] bytes) {
    try {
      return Record.parseFrom(bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException("a record in memory can't be read", e);
    }
  }

  int size() {
    return byId.size();
  }

  /** Whether it was added: not if its id or its name is taken. */
  boolean add(Record record) {
    return add(record, record.toByteArray());
  }

  /**
   * The same.
   *
   * @param bytes the record's
   */
  boolean add(Record record, byte[] bytes) {
    if (hasName(record) && idByName.putIfAbsent(record.getName(), record.getId()) != null) {
      return false;
    }
    if (byId.putIfAbsent(record.getId(), bytes) != null) {
      idByName.remove(record.getName(), record.getId());
      return false;
    }
    return true;
  }

  // Members of groups and inline volumes have none.
  private static boolean hasName(Record record) {
    return !record.getName().isEmpty();
  }

  /** Puts another record of the same id and name in its place. */
  void replace(Record record) {
    byte[] _ = byId.replace(record.getId(), record.toByteArray());
  }

  /** Whether it was there. */
  boolean remove(Record record) {
    // The name first: as long as it has its id nobody sees it free, and then it is.
    idByName.remove(record.getName(), record.getId());
    return byId.remove(record.getId()) != null;
  }
}
