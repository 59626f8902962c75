package dev.csijava.hostpath.store;

import com.google.protobuf.Timestamp;
import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The committed objects of one kind, volumes or snapshots: a record and data in a folder each. What
 * it answers is on disk; what is not committed is not seen. Safe for use by several threads; it
 * does not keep an object from being deleted while another call reads its data, which the locks of
 * the framework do.
 */
public final class ObjectStore {
  /** The name of the data beside the record. */
  public static final String DATA = "data";

  private static final Logger log = LoggerFactory.getLogger(ObjectStore.class);

  private final ObjectKind kind;
  private final Path objects;
  private final Path pending;
  private final Disk disk;
  private final Destruction destruction;
  private final Steps steps;
  private final Clock clock;
  private final RecordIndex index = new RecordIndex();
  private final Set<String> namesBeingMade = ConcurrentHashMap.newKeySet();

  ObjectStore(
      ObjectKind kind, Path root, Disk disk, Destruction destruction, Steps steps, Clock clock) {
    this.kind = kind;
    this.objects = root.resolve(kind.folder());
    this.pending = root.resolve(StateDirectory.PENDING);
    this.disk = disk;
    this.destruction = destruction;
    this.steps = steps;
    this.clock = clock;
  }

  /** The object that has this id; the id of a request goes nowhere else. */
  public Optional<Record> byId(String id) {
    return index.byId(id);
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
    return objects.resolve(record.getFolder());
  }

  /** Where the data of an object lies, absolute. */
  public Path data(Record record) {
    return folder(record).resolve(DATA);
  }

  /** Where the folders of all objects of this kind lie, absolute. */
  public Path base() {
    return objects;
  }

  boolean load(Record record) {
    return index.add(record);
  }

  /**
   * Makes an object under a new id: all of it in a pending folder, then one rename. It is on disk
   * when this returns.
   *
   * @param draft name, size, backing and details; id, folder and schema version are set here, and
   *     so is the creation time if there is none
   * @param maker makes the data
   * @return the committed record
   * @throws CsiException ABORTED if the name is just being made; ALREADY_EXISTS if it is taken;
   *     RESOURCE_EXHAUSTED if the disk is full and INTERNAL for another failure, in both of which
   *     nothing is left; UNAVAILABLE if the outcome is unknown
   */
  public Record create(Record draft, DataMaker maker) {
    if (!namesBeingMade.add(draft.getName())) {
      throw CsiException.aborted("another call makes a " + kind.word() + " of this name just now");
    }
    try {
      if (index.byName(draft.getName()).isPresent()) {
        throw CsiException.alreadyExists("there is a " + kind.word() + " of this name");
      }
      return createNamed(draft, maker);
    } finally {
      namesBeingMade.remove(draft.getName());
    }
  }

  private Record createNamed(Record draft, DataMaker maker) {
    String id = Ids.next(kind.prefix());
    Record.Builder record =
        draft.toBuilder().setSchemaVersion(RecordText.SCHEMA_VERSION).setId(id).setFolder(id);
    if (!record.hasCreated()) {
      record.setCreated(now());
    }
    Record whole = record.build();
    commit(whole, maker);
    if (!index.add(whole)) {
      throw new IllegalStateException("the id or name of a new object is taken: " + id);
    }
    return whole;
  }

  private void commit(Record record, DataMaker maker) {
    Path folder = pending.resolve(record.getFolder());
    boolean committed = false;
    try {
      Files.createDirectory(
          folder,
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      steps.reached(Steps.Step.PENDING_MADE);
      maker.make(folder.resolve(DATA));
      steps.reached(Steps.Step.DATA_MADE);
      RecordFile.write(disk, folder, record);
      steps.reached(Steps.Step.RECORD_WRITTEN);
      disk.syncFolder(folder);
      steps.reached(Steps.Step.PENDING_SYNCED);
      Path home = objects.resolve(record.getFolder());
      disk.rename(folder, home);
      committed = true;
      steps.reached(Steps.Step.COMMITTED);
      makeDurable(folder, home);
      steps.reached(Steps.Step.CREATE_DURABLE);
    } catch (IOException e) {
      throw DiskErrors.nothingLeft("make the " + kind.word(), e);
    } finally {
      if (!committed) {
        dropQuietly(folder);
      }
    }
  }

  /** Syncs the rename, or takes it back: an object must not appear after its call has failed. */
  private void makeDurable(Path folder, Path home) throws IOException {
    try {
      disk.syncFolder(objects);
    } catch (IOException e) {
      try {
        disk.rename(home, folder);
        dropQuietly(folder);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw CsiException.unavailable(
          "the disk of the state directory fails; it is not known whether the "
              + kind.word()
              + " lasts",
          e);
    }
  }

  // The first error is what the caller must hear of; what stays here is swept at the next start.
  private void dropQuietly(Path folder) {
    try {
      if (Files.exists(folder)) {
        destruction.dropPending(folder);
      }
    } catch (IOException | CsiException e) {
      log.warn("could not drop {}; the next start does", folder, e);
    }
  }

  /**
   * Changes a record: the new one is on disk when this returns. Of several changes of one record at
   * the same time each sees what the one before it made.
   *
   * @param change from the record as it is now to the one that is to be; id, name and folder stay
   * @return the record in force; the one that was, if the change made no difference
   * @throws CsiException what the change throws; NOT_FOUND if the object is gone;
   *     RESOURCE_EXHAUSTED or INTERNAL if the disk refuses, and the record is as before;
   *     UNAVAILABLE if the outcome is unknown
   */
  public Record update(String id, UnaryOperator<Record> change) {
    synchronized (index) {
      Record before =
          index
              .byId(id)
              .orElseThrow(() -> CsiException.notFound("there is no such " + kind.word()));
      Record after = change.apply(before);
      if (!after.equals(before)) {
        rewrite(before, after);
        index.replace(after);
      }
      return after;
    }
  }

  private void rewrite(Record before, Record after) {
    try {
      RecordFile.replace(disk, folder(after), after, steps);
      steps.reached(Steps.Step.UPDATED);
    } catch (IOException e) {
      throw DiskErrors.nothingLeft("change the " + kind.word(), e);
    }
    try {
      disk.syncFolder(folder(after));
      steps.reached(Steps.Step.UPDATE_DURABLE);
    } catch (IOException e) {
      try {
        RecordFile.replace(disk, folder(before), before, steps);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw CsiException.unavailable(
          "the disk of the state directory fails; it is not known whether the change lasts", e);
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
    if (index.byId(record.getId()).isEmpty()) {
      return;
    }
    try {
      destruction.deleteCommitted(folder(record));
    } catch (NoSuchFileException e) {
      log.warn("{} is gone already; somebody else removed it", folder(record));
    } catch (IOException e) {
      throw CsiException.internal(
          "could not delete the " + kind.word() + "; it is as before: " + e.getMessage(), e);
    }
    index.remove(record);
  }

  private Timestamp now() {
    Instant now = clock.instant();
    return Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()).build();
  }
}
