package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.hostpath.backing.BackedVolume;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeBacking;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.Staged;
import dev.csijava.hostpath.store.ObjectStore;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The volumes of this node and what of them is seen at which path. Safe for use by several threads.
 */
public final class NodeVolumes {
  private final ObjectStore volumes;
  private final Backings backings;
  private final Mounter mounter;
  private final MountView mounts;

  /**
   * @param volumes the committed volumes
   */
  public NodeVolumes(ObjectStore volumes, Backings backings, Mounter mounter, MountView mounts) {
    this.volumes = volumes;
    this.backings = backings;
    this.mounter = mounter;
    this.mounts = mounts;
  }

  /**
   * @throws CsiException NOT_FOUND
   */
  Record require(String volumeId) {
    return volumes.require(volumeId);
  }

  Optional<Record> find(String volumeId) {
    return volumes.byId(volumeId);
  }

  VolumeBacking backing(Record volume) {
    return backings.of(volume);
  }

  BackedVolume backed(Record volume) {
    return new BackedVolume(volume, volumes.data(volume));
  }

  /** Whether the topmost mount at a path shows this volume. */
  boolean isShownAt(Record volume, Path path) {
    return backing(volume).isShownAt(backed(volume), path);
  }

  /**
   * For the end of a call: what was reported as mounted is there (rule K4).
   *
   * @throws CsiException INTERNAL if it is not
   */
  void requireShownAt(Record volume, Path path) {
    if (!isShownAt(volume, path)) {
      throw CsiException.internal(
          "the volume is not at " + path + ", although its mount was reported as done", null);
    }
  }

  /** Whether anything is mounted at a path. */
  boolean isMountPoint(Path path) {
    return mounter.mountAt(path).isPresent();
  }

  /** What is mounted at a path, as the kernel names the path. */
  Optional<Path> mountPoint(Path path) {
    return mounter.mountAt(path).map(Mount::target);
  }

  /** The data of a volume of ours that a path shows, known or not. */
  Optional<Path> shownAt(Path path) {
    return mounts.shownAt(path, volumes.base());
  }

  /** Where the data of a volume that was staged here lies or lay. */
  Path data(Staged staged) {
    return volumes.base().resolve(staged.getFolder()).resolve(ObjectStore.DATA);
  }

  /** Lets go of the device of a volume whose record is lost. */
  void releaseLost(Path data) {
    backings.releaseFile(data);
  }

  /** Whether what is mounted at a path refuses writes. */
  boolean isReadOnly(Path path) {
    return mounter.mountAt(path).filter(Mount::readOnly).isPresent();
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
    Optional<Record> volume = find(volumeId);
    if (volume.filter(known -> isShownAt(known, path)).isPresent()) {
      return true;
    }
    if (!isMountPoint(path)) {
      return false;
    }
    // Only now is the mount table read, which may be long.
    Optional<Path> shown = shownAt(path);
    boolean ours =
        volume
            .map(known -> shown.equals(Optional.of(volumes.data(known))))
            .orElseGet(() -> shown.filter(this::isOfNoKnownVolume).isPresent());
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
