package dev.csijava.hostpath.capacity;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What of the configured capacities is promised: the sizes of all volumes of a kind, and those of
 * volumes that are being made or grown. What is reserved is counted from before the first byte is
 * written, so calls side by side never promise more than there is (rule K9). Safe for use by
 * several threads.
 */
public final class Promises {
  private final Map<String, Long> capacities;
  private final Map<String, Long> promised = new HashMap<>();
  private final Map<String, Amount> reserved = new HashMap<>();

  private record Amount(String kind, long bytes) {}

  /**
   * @param capacities bytes by kind; nothing is counted if there are none
   * @param volumes the committed volumes, which it watches from now on
   */
  public Promises(Map<String, Long> capacities, ObjectStore volumes) {
    this.capacities = new TreeMap<>(capacities);
    if (areCounted()) {
      volumes.watch(this::changed);
    }
  }

  private synchronized void changed(@Nullable Record before, @Nullable Record after) {
    add(before, -1);
    add(after, 1);
    if (after != null && !isSameSize(before, after)) {
      // In the same moment: it is never counted twice, nor not at all.
      reserved.remove(keyOf(after));
    }
  }

  /**
   * Other changes go beside a growth of the volume, and take nothing of what is set aside for it.
   */
  private static boolean isSameSize(@Nullable Record before, Record after) {
    return before != null && before.getSizeBytes() == after.getSizeBytes();
  }

  private void add(@Nullable Record record, int sign) {
    if (record != null && !record.getVolume().getCapacityKind().isEmpty()) {
      promised.merge(record.getVolume().getCapacityKind(), sign * record.getSizeBytes(), Long::sum);
    }
  }

  private static String keyOf(Record record) {
    return record.getName().isEmpty() ? "id " + record.getId() : "name " + record.getName();
  }

  /** Whether any capacity is configured. */
  public boolean areCounted() {
    return !capacities.isEmpty();
  }

  /**
   * How much more can be promised of a kind, or in one volume of any kind if it is empty. Never
   * negative: a capacity that was configured smaller than what is promised has no room.
   *
   * @return bytes; 0 for a kind that is not configured
   */
  public synchronized long free(String kind) {
    return (kind.isEmpty() ? capacities.keySet() : List.of(kind))
        .stream().mapToLong(this::freeOf).max().orElse(0);
  }

  private long freeOf(String kind) {
    long taken = promised.getOrDefault(kind, 0L);
    for (Amount amount : reserved.values()) {
      if (amount.kind().equals(kind)) {
        taken += amount.bytes();
      }
    }
    return Math.max(0, capacities.getOrDefault(kind, 0L) - taken);
  }

  /**
   * Sets room aside for a volume that is to be made. Close it whatever comes of the volume; one
   * that is committed by then keeps its room.
   *
   * @param draft its name, or its id if it has none
   * @param kind empty for any kind that has room, the first by name
   * @throws CsiException RESOURCE_EXHAUSTED if the kind is not configured, or has no room
   */
  public synchronized Reservation reserve(Record draft, String kind, long bytes) {
    if (!areCounted()) {
      return new Reservation(this, "", "");
    }
    String taken =
        (kind.isEmpty() ? capacities.keySet() : List.of(kind))
            .stream()
                .filter(candidate -> freeOf(candidate) >= bytes)
                .findFirst()
                .orElseThrow(() -> noRoom(kind, bytes));
    return put(keyOf(draft), taken, bytes);
  }

  /**
   * Sets the room aside by which a volume is to grow.
   *
   * @param toBytes the size that it is to have
   * @throws CsiException OUT_OF_RANGE if there is no room: callers of an expansion must not hear
   *     RESOURCE_EXHAUSTED
   */
  public synchronized Reservation grow(Record volume, long toBytes) {
    String kind = volume.getVolume().getCapacityKind();
    long more = toBytes - volume.getSizeBytes();
    if (kind.isEmpty() || !capacities.containsKey(kind) || more <= 0) {
      return new Reservation(this, "", kind);
    }
    if (freeOf(kind) < more) {
      throw CsiException.outOfRange(
          "the capacity of kind " + kind + " has no room for " + more + " bytes more");
    }
    return put(keyOf(volume), kind, more);
  }

  private Reservation put(String key, String kind, long bytes) {
    reserved.put(key, new Amount(kind, bytes));
    return new Reservation(this, key, kind);
  }

  private CsiException noRoom(String kind, long bytes) {
    if (kind.isEmpty()) {
      return CsiException.resourceExhausted("no capacity has room for " + bytes + " bytes");
    }
    return CsiException.resourceExhausted(
        capacities.containsKey(kind)
            ? "the capacity of this kind has no room for " + bytes + " bytes"
            : "there is no capacity of the kind that parameter kind names");
  }

  private synchronized void release(String key) {
    reserved.remove(key);
  }

  /** Room that is set aside. */
  public static final class Reservation implements AutoCloseable {
    private final Promises promises;
    private final String key;
    private final String kind;

    private Reservation(Promises promises, String key, String kind) {
      this.promises = promises;
      this.key = key;
      this.kind = kind;
    }

    /** Of which kind; empty if nothing is counted. */
    public String kind() {
      return kind;
    }

    /** Gives back what no committed volume has taken. */
    @Override
    public void close() {
      promises.release(key);
    }
  }
}
