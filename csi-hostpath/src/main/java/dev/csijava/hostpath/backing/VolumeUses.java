package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Who uses a volume on this node. Safe for use by several threads. */
public final class VolumeUses {
  private final ObjectStore volumes;
  private final Backings backings;
  private final MountView mounts;
  private final Function<Record, List<Path>> staged;

  /**
   * @param staged the staging paths of a volume by the run directory: all that tells of a raw block
   *     volume, at whose staging path nothing is mounted
   */
  public VolumeUses(
      ObjectStore volumes,
      Backings backings,
      MountView mounts,
      Function<Record, List<Path>> staged) {
    this.volumes = volumes;
    this.backings = backings;
    this.mounts = mounts;
    this.staged = staged;
  }

  /** Where a volume is mounted, all of it or a part. */
  public List<Mount> mounts(Record volume) {
    List<Mount> found = new ArrayList<>(mounts.showing(volumes.folder(volume)));
    found.addAll(backings.of(volume).uses(backed(volume)));
    return found;
  }

  /**
   * Makes sure that nobody uses a volume.
   *
   * @throws CsiException FAILED_PRECONDITION, naming the user
   */
  public void requireNone(Record volume) {
    List<Mount> mounted = mounts(volume);
    if (!mounted.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is mounted at " + mounted.getFirst().target());
    }
    List<Path> paths = backings.of(volume).isDevice() ? staged.apply(volume) : List.of();
    if (!paths.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is staged at " + paths.getFirst());
    }
  }

  /**
   * Lets go of the device of a volume that is mounted nowhere and is to be deleted.
   *
   * @throws CsiException FAILED_PRECONDITION, naming who has it open; the volume is as before
   */
  public void release(Record volume) {
    backings.of(volume).release(backed(volume));
  }

  private BackedVolume backed(Record volume) {
    return new BackedVolume(volume, volumes.data(volume));
  }
}
