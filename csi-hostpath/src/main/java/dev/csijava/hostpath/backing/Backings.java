package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Filesystems;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.hostpath.copy.FileCopier;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** All that the data of a volume can be. Immutable; safe for use by several threads. */
public final class Backings {
  private final VolumeBacking directory;
  private final VolumeBacking image;
  private final VolumeBacking block;
  private final AttachedFiles attached;
  private final ObjectStore volumes;
  private final Freezes freezes;
  private final BackingFile file;

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
    this.volumes = volumes;
    this.attached = new AttachedFiles(machine.loops, machine.mounts, machine.holders);
    this.freezes = new Freezes(attached, machine.fileCopier, marks);
    this.file = new BackingFile(machine.fileCopier, attached, freezes);
    this.directory =
        new DirectoryBacking(
            machine.disk, machine.treeCopier, machine.mounter, machine.mounts, machine.usage);
    this.image =
        new ImageBacking(
            file,
            attached,
            new ImageFileSystems(machine.filesystems, volumes::update),
            machine.mounter,
            machine.usage);
    this.block = new BlockBacking(file, attached, machine.mounter, machine.usage);
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
   * Holds all images among these volumes still at once, so that what is cut of them until it is
   * closed is of one moment. Of a raw block volume only the device can be flushed, which its cut
   * does; a directory can't be held.
   *
   * @throws CsiException ABORTED if one of them is just being checked or formatted; INTERNAL if the
   *     disk fails; none is held then
   */
  public CutHold hold(List<Record> sources) {
    List<CutHold> holds = new ArrayList<>();
    boolean done = false;
    try {
      for (Record source : sources) {
        if (source.getBacking() == Backing.IMAGE) {
          holds.add(file.hold(volumes.data(source)));
        }
      }
      done = true;
      return CutHold.all(holds);
    } catch (IOException e) {
      throw CsiException.internal("a volume could not be held still: " + e.getMessage(), e);
    } finally {
      if (!done) {
        CutHold.all(holds).close();
      }
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
