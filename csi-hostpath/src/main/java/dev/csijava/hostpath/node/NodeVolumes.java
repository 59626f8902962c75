package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The volumes of this node and what of them is seen at which path. Safe for use by several threads.
 */
public final class NodeVolumes {
  private final ObjectStore volumes;
  private final Mounter mounter;
  private final MountView mounts;

  /**
   * @param volumes the committed volumes
   */
  public NodeVolumes(ObjectStore volumes, Mounter mounter, MountView mounts) {
    this.volumes = volumes;
    this.mounter = mounter;
    this.mounts = mounts;
  }

  /**
   * @throws CsiException NOT_FOUND
   */
  Record require(String volumeId) {
    return volumes
        .byId(volumeId)
        .orElseThrow(() -> CsiException.notFound("there is no such volume"));
  }

  /** Where the data of a volume lies. */
  Path data(Record volume) {
    return volumes.data(volume);
  }

  /** Whether the topmost mount at a path shows this volume. */
  boolean isShownAt(Record volume, Path path) {
    return mounter.isMountOf(data(volume), path);
  }

  /** Whether anything is mounted at a path. */
  boolean isMountPoint(Path path) {
    return mounter.mountAt(path).isPresent();
  }

  /**
   * Whether the volume of a request is to be taken away from a path, or nothing is there to take.
   * Never an error over nothing, which callers would repeat for ever; never an unmount of what is
   * not the volume.
   *
   * @param volumeId as in the request; may be unknown: its record may be lost, its mount not
   * @return true if the volume is mounted there
   * @throws CsiException FAILED_PRECONDITION if something else is mounted there
   */
  boolean isOursToTake(String volumeId, Path path) {
    Optional<Mount> mount = mounter.mountAt(path);
    if (mount.isEmpty()) {
      return false;
    }
    Optional<Record> volume = volumes.byId(volumeId);
    Optional<Path> shown = mounts.shownAt(path, volumes.base());
    boolean ours =
        volume
            .map(v -> isShownAt(v, path) || shown.equals(Optional.of(data(v))))
            .orElseGet(() -> shown.isPresent() && isOfNoKnownVolume(shown.get()));
    if (!ours) {
      throw CsiException.failedPrecondition(
          "what is mounted at " + path + " is not this volume; nothing was unmounted");
    }
    return true;
  }

  private boolean isOfNoKnownVolume(Path shown) {
    return volumes.after(null).map(volumes::folder).noneMatch(shown::startsWith);
  }
}
