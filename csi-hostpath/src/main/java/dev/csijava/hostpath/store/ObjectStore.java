package dev.csijava.hostpath.store;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The committed objects of one kind, volumes or snapshots: a record and data in a folder each. What
 * it answers is on disk; what is not committed is not seen. Safe for use by several threads; it
 * does not keep an object from being deleted while another call reads its data, which the locks of
 * the framework do.
 */
public final class ObjectStore {
  /** The name of the data beside the record. */
  public static final String DATA = "data";

  private static final int MONITORS = 64;

  private final ObjectKind kind;
  private final ObjectFolders folders;
  private final Steps steps;
  private final Clock clock;
  private final RecordIndex index = new RecordIndex();
  private final Set<String> namesBeingMade = ConcurrentHashMap.newKeySet();
  private final List<RecordWatcher> watchers = new CopyOnWriteArrayList<>();
  private final Object[] monitors = new Object[MONITORS];
  private volatile Map<String, Quarantined> quarantined = Map.of();

  ObjectStore(
      ObjectKind kind, Path root, Disk disk, Destruction destruction, Steps steps, Clock clock) {
    this.kind = kind;
    this.folders = new ObjectFolders(kind, root, disk, destruction, steps);
    this.steps = steps;
    this.clock = clock;
    for (int i = 0; i < MONITORS; i++) {
      monitors[i] = new Object();
    }
  }

  /** The object that has this id; the id of a request goes nowhere else. */
  public Optional<Record> byId(String id) {
    return index.byId(id);
  }

  /**
   * The object that has this id.
   *
   * @throws CsiException NOT_FOUND; with the reason, if its folder is there and is not served
   */
  public Record require(String id) {
    return byId(id).orElseThrow(() -> missing(id));
  }

  private CsiException missing(String id) {
    Quarantined found = quarantined.get(id);
    return CsiException.notFound(
        found == null
            ? "there is no such " + kind.word()
            : "the " + kind.word() + " is not served: " + found.words());
  }

  /** The object that has this name. */
  public Optional<Record> byName(String name) {
    return index.byName(name);
  }

  /** In the order of their ids, those behind the given id, or all if it is null; a live view. */
  public Stream<Record> after(@Nullable String id) {
    return index.after(id);
  }

  /** How many objects there are. */
  public int size() {
    return index.size();
  }

  /** The folder of an object, absolute. */
  public Path folder(Record record) {
    return folders.home(record);
  }

  /** Where the data of an object lies, absolute. */
  public Path data(Record record) {
    return folder(record).resolve(DATA);
  }

  /** Where the folders of all objects of this kind lie, absolute. */
  public Path base() {
    return folders.base();
  }

  /**
   * Tells of all records that are there, by several threads at once, and from then on of each
   * change. Before calls come.
   */
  public void watch(RecordWatcher watcher) {
    index.after(null).parallel().forEach(record -> watcher.changed(null, record));
    watchers.add(watcher);
  }

  boolean load(Record record, byte[] bytes) {
    return index.add(record, bytes);
  }

  /**
   * Takes note of what lies where objects of this kind do, and is not served. Before calls come.
   */
  void note(List<Quarantined> all) {
    quarantined =
        all.stream()
            .filter(found -> base().equals(found.folder().getParent()))
            .collect(
                Collectors.toUnmodifiableMap(
                    found -> found.folder().getFileName().toString(), found -> found));
  }

  ObjectFolders folders() {
    return folders;
  }

  /**
   * Makes an object under a new id: all of it in a pending folder, then one rename. It is on disk
   * when this returns.
   *
   * @param draft name, size, backing and details; folder and schema version are set here, and so
   *     are the id and the creation time if there are none
   * @param maker makes the data
   * @return the committed record
   * @throws CsiException ABORTED if the name is just being made; ALREADY_EXISTS if it is taken;
   *     RESOURCE_EXHAUSTED if the disk is full, OUT_OF_RANGE if its file system can't hold a file
   *     of that size, INVALID_ARGUMENT for a record too large to be read back and INTERNAL for
   *     another failure, in all of which nothing is left; UNAVAILABLE if the outcome is unknown
   */
  public Record create(Record draft, DataMaker maker) {
    return underName(
        draft,
        () -> {
          Record whole = whole(draft);
          commit(whole, maker);
          add(whole);
          return whole;
        });
  }

  /** Does something while nobody else makes an object of this name or id. */
  Record underName(Record draft, java.util.function.Supplier<Record> work) {
    // An object without a name has its id from its caller: no prefix of ours is a way to mix them.
    String name = draft.getName().isEmpty() ? "id " + draft.getId() : "name " + draft.getName();
    if (!namesBeingMade.add(name)) {
      throw CsiException.aborted("another call makes a " + kind.word() + " of this name just now");
    }
    try {
      if (index.byName(draft.getName()).isPresent() || index.byId(draft.getId()).isPresent()) {
        throw CsiException.alreadyExists("there is a " + kind.word() + " of this name");
      }
      return work.get();
    } finally {
      namesBeingMade.remove(name);
    }
  }

  /** The draft with all that the store itself gives to a record. */
  Record whole(Record draft) {
    String own = Ids.next(kind.prefix());
    Record.Builder record =
        draft.toBuilder().setSchemaVersion(RecordText.SCHEMA_VERSION).setFolder(own);
    if (record.getId().isEmpty()) {
      record.setId(own);
    }
    if (!record.hasCreated()) {
      record.setCreated(now());
    }
    return record.build();
  }

  /** Shows a committed record to everybody. */
  void add(Record record) {
    if (!index.add(record)) {
      throw new IllegalStateException("the id or name of a new object is taken: " + record.getId());
    }
    watchers.forEach(watcher -> watcher.changed(null, record));
  }

  /** Makes an object on disk, all of it or nothing; {@link #add} shows it. */
  void commit(Record record, DataMaker maker) {
    boolean committed = false;
    try {
      folders.make(record, maker);
      folders.moveHome(record);
      committed = true;
      steps.reached(Steps.Step.COMMITTED);
      folders.makeDurable(record);
      steps.reached(Steps.Step.CREATE_DURABLE);
    } catch (IOException e) {
      throw DiskErrors.nothingLeft("make the " + kind.word(), e);
    } finally {
      if (!committed) {
        folders.undo(record);
      }
    }
  }

  /**
   * Changes a record: the new one is on disk when this returns. Of several changes of one record at
   * the same time each sees what the one before it made.
   *
   * @param change from the record as it is now to the one that is to be; id, name and folder stay
   * @return the record in force; the one that was, if the change made no difference
   * @throws CsiException what the change throws; NOT_FOUND if the object is gone;
   *     RESOURCE_EXHAUSTED or INTERNAL if the disk refuses, INVALID_ARGUMENT for a record too large
   *     to be read back, and the record is as before; UNAVAILABLE if the outcome is unknown
   */
  public Record update(String id, UnaryOperator<Record> change) {
    synchronized (monitor(id)) {
      Record before = require(id);
      Record after = change.apply(before);
      if (after.equals(before)) {
        return before;
      }
      try {
        folders.rewrite(before, after);
      } catch (IOException e) {
        throw DiskErrors.nothingLeft("change the " + kind.word(), e);
      }
      index.replace(after);
      watchers.forEach(watcher -> watcher.changed(before, after));
      return after;
    }
  }

  /**
   * Deletes an object: gone from here and from the disk when this returns, its data removed later.
   * Nothing happens if it is gone already.
   *
   * @throws CsiException FAILED_PRECONDITION if a mount lies at or below its folder; INTERNAL if
   *     the disk refuses, and the object is as before; UNAVAILABLE if the outcome is unknown
   */
  public void delete(Record record) {
    synchronized (monitor(record.getId())) {
      if (index.byId(record.getId()).isEmpty()) {
        return;
      }
      try {
        folders.delete(record);
      } catch (IOException e) {
        throw CsiException.internal(
            "could not delete the " + kind.word() + "; it is as before: " + DiskErrors.reason(e),
            e);
      }
      forget(record.getId());
    }
  }

  /**
   * Whether the object is there, asked after its data was found missing: waits for a deletion that
   * has taken the data away and not yet the record.
   */
  public boolean isKept(String id) {
    synchronized (monitor(id)) {
      return index.byId(id).isPresent();
    }
  }

  /** Shows an object to nobody any more. */
  void forget(String id) {
    index
        .byId(id)
        .ifPresent(
            record -> {
              index.remove(record);
              watchers.forEach(watcher -> watcher.changed(record, null));
            });
  }

  private Object monitor(String id) {
    return monitors[Math.floorMod(id.hashCode(), MONITORS)];
  }

  private Timestamp now() {
    Instant now = clock.instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }
}
