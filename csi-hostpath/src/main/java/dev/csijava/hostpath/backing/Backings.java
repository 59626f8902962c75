package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.disk.DiskErrors;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All that the data of a volume can be. Immutable; safe for use by several threads. */
public final class Backings {
  private final VolumeBacking directory;
  private final VolumeBacking image;
  private final VolumeBacking block;
  private final AttachedFiles attached;
  private final Freezes freezes;
  private final GroupHolds groups;

  /**
   * Those that freeze nothing for a cut, only flush it.
   *
   * @param machine what the backings need of the machine
   * @param volumes where the records of images are changed when they are staged
   */
  public Backings(Machine machine, ObjectStore volumes) {
    this(machine, volumes, null);
  }

  private Backings(Machine machine, ObjectStore volumes, @Nullable FreezeMarks marks) {
    this.attached = new AttachedFiles(machine.loops, machine.mounts, machine.holders);
    this.freezes = new Freezes(attached, machine.fileCopier, marks);
    BackingFile file = new BackingFile(machine.fileCopier, attached, freezes);
    CutLocks unused = new CutLocks(BackingFile.PATIENCE);
    this.directory =
        new DirectoryBacking(
            machine.disk,
            machine.treeCopier,
            unused,
            machine.mounter,
            machine.mounts,
            machine.usage);
    this.image =
        new ImageBacking(
            file,
            attached,
            new ImageFileSystems(machine.filesystems, volumes::update),
            machine.mounter,
            machine.usage);
    this.block = new BlockBacking(file, unused, attached, machine.mounter, machine.usage);
    this.groups =
        new GroupHolds(
            volumes,
            file,
            unused,
            attached,
            machine.mounts,
            machine.treeCopier,
            machine.fileCopier);
  }

  /**
   * What the backings need of the machine.
   *
   * @param holders says in a sentence what keeps a device node open
   */
  public record Machine(
      Disk disk,
      TreeCopier treeCopier,
      FileCopier fileCopier,
      Mounter mounter,
      MountView mounts,
      UsageReader usage,
      LoopDevices loops,
      Filesystems filesystems,
      Function<Path, String> holders) {}

  /**
   * Those that freeze mounted images for a cut, and say so in the run directory. Thaws what an
   * earlier process left frozen.
   *
   * @param runDirectory absolute; dies with the mounts
   * @throws IOException if it can't be written
   */
  public static Backings freezing(Machine machine, ObjectStore volumes, Path runDirectory)
      throws IOException {
    Backings backings =
        new Backings(machine, volumes, new FreezeMarks(runDirectory.resolve("frozen")));
    backings.freezes.thawLeft(volumes.base());
    return backings;
  }

  /**
   * Holds volumes still, so that what is cut of them until it is closed is of one moment. What is
   * in use and can't be held is watched: see {@link GroupHold#changed}.
   *
   * @throws CsiException ABORTED if one of them is just being staged, checked or formatted;
   *     INTERNAL if the disk fails; none is held then
   */
  public GroupHold hold(List<Record> sources) {
    try {
      return groups.hold(sources);
    } catch (IOException e) {
      throw CsiException.internal("a volume could not be held still: " + DiskErrors.reason(e), e);
    }
  }

  /** That of a record. */
  public VolumeBacking of(Record record) {
    return of(record.getBacking());
  }

  /**
   * Lets go of the device that a file is attached as; of a directory nothing is attached.
   *
   * @throws CsiException FAILED_PRECONDITION if something still uses it
   */
  public void releaseFile(Path file) {
    if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      attached.release(file);
    }
  }

  /** That of a kind. */
  VolumeBacking of(Backing backing) {
    return switch (backing) {
      case DIRECTORY -> directory;
      case IMAGE -> image;
      case BLOCK -> block;
      // The store serves no such record.
      case BACKING_UNKNOWN, UNRECOGNIZED ->
          throw new IllegalStateException("no backing is called " + backing);
    };
  }
}
