package dev.csijava.hostpath.backing;

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
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.function.Function;

/** All that the data of a volume can be. Immutable; safe for use by several threads. */
public final class Backings {
  private final VolumeBacking directory;
  private final VolumeBacking image;
  private final VolumeBacking block;
  private final AttachedFiles attached;

  /**
   * @param machine what the backings need of the machine
   * @param volumes where the records of images are changed when they are staged
   */
  public Backings(Machine machine, ObjectStore volumes) {
    this.attached = new AttachedFiles(machine.loops, machine.mounts, machine.holders);
    BackingFile file = new BackingFile(machine.fileCopier, attached);
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

  /** That of a record. */
  public VolumeBacking of(Record record) {
    return of(record.getBacking());
  }

  /**
   * Lets go of the device that a file is attached as; of a directory nothing is attached.
   *
   * @throws dev.csijava.core.CsiException FAILED_PRECONDITION if something still uses it
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
