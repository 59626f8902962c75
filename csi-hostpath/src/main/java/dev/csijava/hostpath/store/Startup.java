package dev.csijava.hostpath.store;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a start does with what the last process left (rule K7): sweep, read, quarantine, go on. */
final class Startup {
  private static final Logger log = LoggerFactory.getLogger(Startup.class);

  private static final int AT_A_TIME = 64;

  private final Path root;
  private final Destruction destruction;
  private final boolean importing;
  private final Set<String> groupIds = new HashSet<>();
  private boolean allGroupsRead;
  private final List<Quarantined> quarantined = new ArrayList<>();

  /**
   * @param importing whether an import is not finished: its groups may come after their members
   */
  Startup(Path root, Destruction destruction, boolean importing) {
    this.root = root;
    this.destruction = destruction;
    this.importing = importing;
  }

  /** Drops what was being made when the last process died: no caller was told of it. */
  void sweepPending() throws IOException {
    Path pending = root.resolve(StateDirectory.PENDING);
    for (Path folder : entries(pending)) {
      drop(folder, "it was never committed");
    }
  }

  private void drop(Path folder, String reason) {
    try {
      destruction.dropPending(folder);
      log.info("dropped {}: {}", folder, reason);
    } catch (IOException e) {
      quarantine(folder, "it can't be dropped: " + DiskErrors.reason(e));
    } catch (CsiException e) {
      quarantine(folder, "it can't be dropped: " + e.getMessage());
    }
  }

  /**
   * Whether a snapshot is the member of a group that is not there at all. A group whose record
   * can't be read is no proof: its members stay and are served.
   */
  private boolean isOfNoGroup(Record record) {
    String group = record.getSnapshot().getGroupId();
    if (importing || group.isEmpty() || groupIds.contains(group)) {
      return false;
    }
    return GroupStore.isGroupId(group)
        ? Files.notExists(
            root.resolve(ObjectKind.GROUP.folder()).resolve(group), LinkOption.NOFOLLOW_LINKS)
        // The folder of a group that was taken over has another name than its id.
        : allGroupsRead;
  }

  /**
   * Reads all records of a kind into a store. There may be very many: so by all processors, which
   * is most of the time that a start takes, and some at a time, which keeps the memory small.
   */
  void load(ObjectKind kind, ObjectStore store) throws IOException {
    List<Path> folders = entries(root.resolve(kind.folder()));
    List<Path> doubles = new ArrayList<>();
    for (int from = 0; from < folders.size(); from += AT_A_TIME) {
      List<Path> some = folders.subList(from, Math.min(from + AT_A_TIME, folders.size()));
      for (Found found : some.parallelStream().map(folder -> read(folder, kind)).toList()) {
        Record record = found.record;
        if (record == null) {
          quarantine(found.folder, found.reason);
          continue;
        }
        if (kind == ObjectKind.GROUP) {
          groupIds.add(record.getId());
        }
        if (isOfNoGroup(record)) {
          drop(found.folder, "its group was never committed, or is deleted");
        } else if (!store.load(record, found.bytes)) {
          doubles.add(found.folder);
        }
      }
    }
    if (kind == ObjectKind.GROUP) {
      allGroupsRead = noneIsBelow(store.base());
    }
    doubles.forEach(folder -> quarantine(folder, "another " + kind.word() + " has its id or name"));
    log.info("serving {} {}", store.size(), kind.folder());
  }

  /** A folder and its record, as a message and as its bytes, or why there is none. */
  private static final class Found {
    private final Path folder;
    private final @Nullable Record record;
    private final byte[] bytes;
    private final String reason;

    private Found(Path folder, @Nullable Record record, byte[] bytes, String reason) {
      this.folder = folder;
      this.record = record;
      this.bytes = bytes;
      this.reason = reason;
    }

    static Found of(Path folder, Record record) {
      return new Found(folder, record, record.toByteArray(), "");
    }

    static Found bad(Path folder, String reason) {
      return new Found(folder, null, new byte[0], reason);
    }
  }

  private static Found read(Path folder, ObjectKind kind) {
    try {
      return Found.of(folder, RecordFile.read(folder, kind.recordKind()));
    } catch (BadRecordException e) {
      return Found.bad(folder, String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return Found.bad(folder, "its record can't be read: " + DiskErrors.reason(e));
    }
  }

  private boolean noneIsBelow(Path base) {
    return quarantined.stream().noneMatch(found -> found.folder().startsWith(base));
  }

  private static List<Path> entries(Path folder) throws IOException {
    List<Path> entries = new ArrayList<>();
    try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
      stream.forEach(entries::add);
    }
    // A stable order: of two that claim one name, each start serves the same.
    entries.sort(null);
    return entries;
  }

  private void quarantine(Path folder, String reason) {
    log.warn("{} is not served and stays where it is: {}", folder, reason);
    quarantined.add(new Quarantined(folder, reason));
  }

  List<Quarantined> quarantined() {
    return quarantined;
  }
}
