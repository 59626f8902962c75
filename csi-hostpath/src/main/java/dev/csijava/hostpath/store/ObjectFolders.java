package dev.csijava.hostpath.store;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The folders of the objects of one kind: each made aside, and put in its place by one rename. */
final class ObjectFolders {
  private static final Logger log = LoggerFactory.getLogger(ObjectFolders.class);

  private final ObjectKind kind;
  private final Path objects;
  private final Path pending;
  private final Disk disk;
  private final Destruction destruction;
  private final Steps steps;

  ObjectFolders(ObjectKind kind, Path root, Disk disk, Destruction destruction, Steps steps) {
    this.kind = kind;
    this.objects = root.resolve(kind.folder());
    this.pending = root.resolve(StateDirectory.PENDING);
    this.disk = disk;
    this.destruction = destruction;
    this.steps = steps;
  }

  Path base() {
    return objects;
  }

  Path home(Record record) {
    return objects.resolve(record.getFolder());
  }

  private Path aside(Record record) {
    return pending.resolve(record.getFolder());
  }

  /** Makes all of an object in a pending folder, on disk. */
  void make(Record record, DataMaker maker) throws IOException {
    Path folder = aside(record);
    Files.createDirectory(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    steps.reached(Steps.Step.PENDING_MADE);
    maker.make(folder.resolve(ObjectStore.DATA));
    steps.reached(Steps.Step.DATA_MADE);
    RecordFile.write(disk, folder, record);
    steps.reached(Steps.Step.RECORD_WRITTEN);
    disk.syncFolder(folder);
    steps.reached(Steps.Step.PENDING_SYNCED);
  }

  /** Renames what was made to where the next start finds it; durable after {@link #sync}. */
  void moveHome(Record record) throws IOException {
    disk.rename(aside(record), home(record));
  }

  void sync() throws IOException {
    disk.syncFolder(objects);
  }

  /** Syncs the rename, or takes it back: an object must not appear after its call has failed. */
  void makeDurable(Record record) throws IOException {
    try {
      sync();
    } catch (IOException e) {
      try {
        disk.rename(home(record), aside(record));
        dropQuietly(aside(record));
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw outcomeUnknown(e);
    }
  }

  /** Drops what was made of an object, where ever it lies; the first error is the caller's. */
  void undo(Record record) {
    dropQuietly(aside(record));
    dropQuietly(home(record));
  }

  // What stays here is swept at the next start.
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
   * Writes a record anew.
   *
   * @throws IOException and the old record is in force
   * @throws CsiException UNAVAILABLE if it is not known which one is
   */
  void rewrite(Record before, Record after) throws IOException {
    Path folder = home(after);
    RecordFile.replace(disk, folder, after, steps);
    steps.reached(Steps.Step.UPDATED);
    try {
      disk.syncFolder(folder);
    } catch (IOException e) {
      try {
        RecordFile.replace(disk, folder, before, steps);
      } catch (IOException second) {
        e.addSuppressed(second);
      }
      throw outcomeUnknown(e);
    }
    steps.reached(Steps.Step.UPDATE_DURABLE);
  }

  /** Deletes an object. What somebody else has removed is gone for good when this returns, too. */
  void delete(Record record) throws IOException {
    Path home = home(record);
    try {
      destruction.deleteCommitted(home);
    } catch (NoSuchFileException e) {
      if (!Files.notExists(home, LinkOption.NOFOLLOW_LINKS)) {
        throw e;
      }
      log.warn("{} is gone already; somebody else removed it", home);
      syncGone();
    }
  }

  /** It may be a deletion of ours that could neither be synced nor taken back. */
  private void syncGone() {
    try {
      sync();
    } catch (IOException e) {
      throw outcomeUnknown(e);
    }
  }

  private CsiException outcomeUnknown(IOException failure) {
    return CsiException.unavailable(
        "the disk of the state directory fails; it is not known whether the "
            + kind.word()
            + " lasts",
        failure);
  }
}
