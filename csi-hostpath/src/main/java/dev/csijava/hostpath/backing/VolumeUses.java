package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.nio.file.Path;
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

  /**
   * Makes sure that nobody uses a volume that is to be deleted, and lets go of a device that a
   * crash left behind.
   *
   * @throws CsiException FAILED_PRECONDITION, naming the user; the volume is as before
   */
  public void requireNone(Record volume) {
    VolumeBacking backing = backings.of(volume);
    BackedVolume backed = new BackedVolume(volume, volumes.data(volume));
    requireNone(mounts.showing(volumes.folder(volume)));
    requireNone(backing.uses(backed));
    List<Path> paths = backing.isDevice() ? staged.apply(volume) : List.of();
    if (!paths.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is staged at " + paths.getFirst());
    }
    backing.release(backed);
  }

  private static void requireNone(List<Mount> uses) {
    if (!uses.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is mounted at " + uses.getFirst().target());
    }
  }
}
