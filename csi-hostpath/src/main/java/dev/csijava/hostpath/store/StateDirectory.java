package dev.csijava.hostpath.store;

import dev.csijava.core.CsiException;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.Steps;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.removal.Destruction;
import dev.csijava.hostpath.state.Record;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.List;

/**
 * The directory that survives restarts and reboots. One process has it at a time.
 *
 * <pre>
 * lock                              held while a driver runs
 * volumes/FOLDER/{record,data}      committed volumes
 * snapshots/FOLDER/{record,data}    committed snapshots; those of a group only with its record
 * groups/FOLDER/record              committed groups of snapshots
 * pending/FOLDER/…                  being made; dropped at start
 * trash/…                           deleted; removed in the background
 * import/…                          an import that is not finished; no driver starts then
 * </pre>
 */
public final class StateDirectory implements AutoCloseable {
  static final String PENDING = "pending";
  static final String TRASH = "trash";

  private final Path root;
  private final StateLock lock;
  private final Destruction destruction;
  private final ObjectStore volumes;
  private final ObjectStore snapshots;
  private final GroupStore groups;
  private final List<Quarantined> quarantined;

  private StateDirectory(
      Path root,
      StateLock lock,
      Destruction destruction,
      ObjectStore volumes,
      ObjectStore snapshots,
      GroupStore groups,
      List<Quarantined> quarantined) {
    this.root = root;
    this.lock = lock;
    this.destruction = destruction;
    this.volumes = volumes;
    this.snapshots = snapshots;
    this.groups = groups;
    this.quarantined = List.copyOf(quarantined);
  }

  /**
   * Locks the directory, makes it if it is not there, drops what was never committed, and reads all
   * records. Blocks until that is done; what was deleted is removed in the background.
   *
   * @param directory absolute
   * @throws StateInUseException if another process has it
   * @throws IOException if it can't be made or read, or the folder of all groups is lost
   */
  public static StateDirectory open(
      Path directory, Disk disk, MountView mounts, Steps steps, Clock clock) throws IOException {
    return open(directory, disk, mounts, steps, clock, false);
  }

  /**
   * The same for an import, which may find that an earlier one was not finished; nobody else works
   * on such a directory.
   *
   * @throws IOException as {@link #open}
   */
  public static StateDirectory openForImport(
      Path directory, Disk disk, MountView mounts, Clock clock) throws IOException {
    return open(directory, disk, mounts, Steps.NONE, clock, true);
  }

  private static StateDirectory open(
      Path directory, Disk disk, MountView mounts, Steps steps, Clock clock, boolean forImport)
      throws IOException {
    makeFolder(directory);
    Path root = directory.toRealPath();
    requireOwn(root);
    StateLock lock = StateLock.take(root);
    try {
      if (!forImport && Incoming.isUnfinished(root)) {
        throw new IOException(
            "an import into "
                + root
                + " is not finished; run csi-hostpath import again, or with --rollback");
      }
      requireGroups(root);
      for (ObjectKind kind : ObjectKind.values()) {
        makeFolder(root.resolve(kind.folder()));
      }
      makeFolder(root.resolve(PENDING));
      makeFolder(root.resolve(TRASH));
      disk.syncFolder(root);
      return load(root, lock, disk, mounts, steps, clock);
    } catch (IOException | RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * A snapshot whose group has no record was never committed, and a start drops it. Where the
   * folder of all groups is lost that proves nothing (rule K1).
   */
  private static void requireGroups(Path root) throws IOException {
    Path groups = root.resolve(ObjectKind.GROUP.folder());
    if (Files.exists(groups, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (StateListing.Entry snapshot : StateListing.entries(root, ObjectKind.SNAPSHOT)) {
      Record record = snapshot.record();
      if (record != null && !record.getSnapshot().getGroupId().isEmpty()) {
        throw new IOException(
            groups
                + " is missing, and without it no snapshot of a group is known to be whole, as "
                + snapshot.folder()
                + "; bring it back, or make it empty to have all of these dropped");
      }
    }
  }

  /**
   * Whether this is a state directory that was opened before.
   *
   * @param directory absolute
   */
  public static boolean isThere(Path directory) {
    return Files.isRegularFile(directory.resolve(StateLock.NAME))
        && Files.isDirectory(directory.resolve(ObjectKind.VOLUME.folder()));
  }

  /** What lies in these folders is removed at a start, so they have to be ours (rule K1). */
  private static void requireOwn(Path root) throws IOException {
    if (isThere(root)) {
      return;
    }
    for (String name : List.of(PENDING, TRASH)) {
      Path folder = root.resolve(name);
      if (Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !isEmptyFolder(folder)) {
        throw new IOException(
            root
                + " is not a state directory of this driver, and has a "
                + name
                + " of its own, which a start would empty; name another directory by --statedir, or"
                + " move that away");
      }
    }
  }

  private static boolean isEmptyFolder(Path folder) throws IOException {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      return !entries.iterator().hasNext();
    } catch (NotDirectoryException e) {
      return false;
    }
  }

  private static StateDirectory load(
      Path root, StateLock lock, Disk disk, MountView mounts, Steps steps, Clock clock)
      throws IOException {
    Destruction destruction = new Destruction(root.resolve(TRASH), disk, mounts, steps);
    var volumes = new ObjectStore(ObjectKind.VOLUME, root, disk, destruction, steps, clock);
    var snapshots = new ObjectStore(ObjectKind.SNAPSHOT, root, disk, destruction, steps, clock);
    var groupRecords = new ObjectStore(ObjectKind.GROUP, root, disk, destruction, steps, clock);
    GroupStore groups = new GroupStore(groupRecords, snapshots, steps);
    Startup startup = new Startup(root, destruction, Incoming.isUnfinished(root));
    startup.sweepPending();
    startup.load(ObjectKind.VOLUME, volumes);
    startup.load(ObjectKind.GROUP, groupRecords);
    startup.load(ObjectKind.SNAPSHOT, snapshots);
    volumes.note(startup.quarantined());
    snapshots.note(startup.quarantined());
    destruction.emptyTrash();
    return new StateDirectory(
        root, lock, destruction, volumes, snapshots, groups, startup.quarantined());
  }

  private static void makeFolder(Path folder) throws IOException {
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
  }

  /** Absolute, without links. */
  public Path root() {
    return root;
  }

  /** The volumes. */
  public ObjectStore volumes() {
    return volumes;
  }

  /** The snapshots. */
  public ObjectStore snapshots() {
    return snapshots;
  }

  /** The groups of snapshots. */
  public GroupStore groups() {
    return groups;
  }

  /** The door for all that is removed here. */
  public Destruction destruction() {
    return destruction;
  }

  /** What could not be understood at start. */
  public List<Quarantined> quarantined() {
    return quarantined;
  }

  /**
   * Makes sure that what has no record is not there all the same, before it is called deleted: a
   * caller that hears so forgets it. The folder of what this driver made has the name of its id.
   *
   * @param id one that no record has
   * @throws CsiException FAILED_PRECONDITION if a quarantined folder of this name is still there
   */
  public void requireNoRemains(String id) {
    for (Quarantined found : quarantined) {
      Path folder = found.folder();
      if (folder.getFileName().toString().equals(id)
          && Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
        throw CsiException.failedPrecondition(
            "nothing was deleted: "
                + found.words()
                + "; mend it, or stop the driver and run csi-hostpath volumes purge "
                + folder.getFileName());
      }
    }
  }

  /** Lets go of the directory. The caller has ended all calls. */
  @Override
  public void close() throws IOException {
    destruction.close();
    lock.close();
  }
}
