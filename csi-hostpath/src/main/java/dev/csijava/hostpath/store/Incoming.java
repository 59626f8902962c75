package dev.csijava.hostpath.store;

import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;

/**
 * Objects that come from elsewhere: each is put together aside, in the folder {@code import} of the
 * state directory, and renamed to where a start finds it when all are whole. As long as that folder
 * is there no driver starts. Every step may be done again; one thread at a time.
 */
public final class Incoming {
  private static final String FOLDER = "import";

  private final Path root;
  private final Disk disk;

  /**
   * @param root of the state directory, which the caller has locked
   */
  public Incoming(Path root, Disk disk) {
    this.root = root;
    this.disk = disk;
  }

  /** Whether an import was begun and neither finished nor rolled back. */
  public static boolean isUnfinished(Path root) {
    return Files.exists(root.resolve(FOLDER), LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * The draft with the folder and the schema version that it will have; id and time are its own.
   */
  public static Record whole(Record draft) {
    return draft.toBuilder()
        .setSchemaVersion(RecordText.SCHEMA_VERSION)
        .setFolder(Ids.next(kind(draft).prefix()))
        .build();
  }

  private static ObjectKind kind(Record record) {
    for (ObjectKind kind : ObjectKind.values()) {
      if (kind.recordKind() == record.getKindCase()) {
        return kind;
      }
    }
    throw new IllegalArgumentException("the record is of no kind");
  }

  /** The folder that is there as long as the import is not finished. */
  public Path area() {
    return root.resolve(FOLDER);
  }

  /** Makes the folder, if it is not there. */
  public void open() throws IOException {
    for (ObjectKind kind : ObjectKind.values()) {
      Files.createDirectories(area().resolve(kind.folder()));
    }
    disk.syncFolder(area());
    disk.syncFolder(root);
  }

  private Path aside(Record record) {
    return area().resolve(kind(record).folder()).resolve(record.getFolder());
  }

  /** Where the object lies when all is done, absolute. */
  public Path home(Record record) {
    return root.resolve(kind(record).folder()).resolve(record.getFolder());
  }

  /** Where the object lies now, absolute; it need not exist. */
  public Path folder(Record record) {
    Path home = home(record);
    return Files.exists(home, LinkOption.NOFOLLOW_LINKS) ? home : aside(record);
  }

  /** Where its data lies or is to lie now, absolute. */
  public Path data(Record record) {
    return folder(record).resolve(ObjectStore.DATA);
  }

  /** Makes the folder of an object with its record, on disk when this returns. */
  public void put(Record record) throws IOException {
    Path folder = folder(record);
    Files.createDirectories(folder);
    // A crash may have left it torn, so it is made anew.
    Files.deleteIfExists(folder.resolve(RecordFile.NAME));
    RecordFile.write(disk, folder, record);
    disk.syncFolder(folder);
  }

  /**
   * Reads an object back.
   *
   * @throws IOException if it is not what it should be
   */
  public void verify(Record record) throws IOException {
    Path folder = folder(record);
    try {
      if (!RecordFile.read(folder, record.getKindCase()).equals(record)) {
        throw new IOException("the record in " + folder + " reads back otherwise");
      }
    } catch (BadRecordException e) {
      throw new IOException("the record in " + folder + " can't be used: " + e.getMessage(), e);
    }
  }

  /** Renames an object to where a start finds it; durable after {@link #sync}. */
  public void commit(Record record) throws IOException {
    move(aside(record), home(record));
  }

  /** Takes that back. */
  public void withdraw(Record record) throws IOException {
    move(home(record), aside(record));
  }

  private void move(Path from, Path to) throws IOException {
    if (Files.exists(from, LinkOption.NOFOLLOW_LINKS)) {
      disk.rename(from, to);
    }
  }

  /** Returns when all renames are on disk. */
  public void sync() throws IOException {
    for (ObjectKind kind : ObjectKind.values()) {
      disk.syncFolder(root.resolve(kind.folder()));
      disk.syncFolder(area().resolve(kind.folder()));
    }
  }

  /** Whether no object lies aside, not committed. */
  public boolean isEmpty() throws IOException {
    for (ObjectKind kind : ObjectKind.values()) {
      try (var entries = Files.newDirectoryStream(area().resolve(kind.folder()))) {
        if (entries.iterator().hasNext()) {
          return false;
        }
      }
    }
    return true;
  }
}
