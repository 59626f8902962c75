package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.hostpath.backing.BackedVolume;
import dev.csijava.hostpath.backing.NodeAccess;
import dev.csijava.hostpath.backing.VolumeBacking;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.Staged;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Makes volumes appear at their staging path, for NodeStage and for a publish after it was lost,
 * and takes them away.
 */
public final class StagedVolumes {
  private final NodeVolumes volumes;
  private final Stagings stagings;
  private final Detachment detachment;

  /**
   * @param detachment unmounts
   */
  public StagedVolumes(NodeVolumes volumes, Stagings stagings, Detachment detachment) {
    this.volumes = volumes;
    this.stagings = stagings;
    this.detachment = detachment;
  }

  /**
   * Ends with the volume, and nothing else, at the staging path.
   *
   * @throws CsiException FAILED_PRECONDITION if the path is not there or holds files of somebody;
   *     INVALID_ARGUMENT if it is no directory; ALREADY_EXISTS if something else, or the volume
   *     with another read-only state, is mounted there; INTERNAL if it failed
   */
  void stage(Record volume, TargetPath staging, NodeAccess access) {
    Path path = staging.path();
    if (isOfAnother(volume, path)) {
      throw CsiException.alreadyExists("something else is staged at staging_target_path");
    }
    requireFree(volume, "staging_target_path", path);
    requireSameState(volume, path, access);
    // First, so that what a crash leaves attached is known to be somebody's.
    boolean known =
        stagings.at(path).filter(s -> s.getVolumeId().equals(volume.getId())).isPresent();
    if (!known) {
      stagings.put(volume, path, access.readOnly());
    }
    boolean done = false;
    try {
      mount(volume, path, access);
      done = true;
    } finally {
      if (!done && !known) {
        stagings.remove(path);
      }
    }
  }

  /**
   * Ends with the volume at a target that has no staging path: what is inline is never staged.
   *
   * @throws CsiException as {@link #stage} does
   */
  void show(Record volume, TargetPath target, NodeAccess access) {
    requireFree(volume, "target_path", target.path());
    mount(volume, target.path(), access);
  }

  private void mount(Record volume, Path path, NodeAccess access) {
    volumes.backing(volume).stage(volumes.backed(volume), path, access);
    if (!volumes.backing(volume).isDevice()) {
      volumes.requireShownAt(volume, path);
    }
  }

  /**
   * @param field the field of the request that names the path
   */
  private void requireFree(Record volume, String field, Path path) {
    boolean mounted = volumes.isMountPoint(path);
    if (mounted && !volumes.isShownAt(volume, path)) {
      throw CsiException.alreadyExists("something else is mounted at " + path);
    }
    if (!mounted) {
      requireDirectory(field, path);
      if (!volumes.backing(volume).isDevice()) {
        EmptyDirectory.require(field, path);
      }
    }
  }

  /** Of a mount the kernel tells; a raw block volume shows nothing at its path. */
  private void requireSameState(Record volume, Path path, NodeAccess access) {
    if (volumes.backing(volume).isDevice()
        && stagings
            .at(path)
            .filter(there -> there.getVolumeId().equals(volume.getId()))
            .filter(there -> there.getReadonly() != access.readOnly())
            .isPresent()) {
      throw CsiException.alreadyExists(
          "the volume is staged at staging_target_path already, with another read-only state");
    }
  }

  /** A raw block volume shows nothing at its path, so only the run directory knows of it (B033). */
  private boolean isOfAnother(Record volume, Path path) {
    return stagings
        .at(path)
        .map(Staged::getVolumeId)
        .filter(id -> !id.equals(volume.getId()))
        .flatMap(volumes::find)
        .filter(other -> volumes.backing(other).isDevice())
        .isPresent();
  }

  /**
   * Looks whether the volume really is staged, and stages it again if that was lost: a reboot takes
   * it away, and callers do not repeat NodeStage for what they believe staged (rule K6, B047).
   *
   * @throws CsiException FAILED_PRECONDITION if something else is staged there, the path does not
   *     allow to stage again, or it is staged read-only and writes are asked for
   */
  void ensure(Record volume, TargetPath staging, NodeAccess access, boolean readOnly) {
    Path path = staging.path();
    boolean device = volumes.backing(volume).isDevice();
    boolean shown = volumes.isShownAt(volume, path);
    if (isOfAnother(volume, path) || (!shown && volumes.isMountPoint(path))) {
      throw CsiException.failedPrecondition(
          "what is staged at staging_target_path is not this volume");
    }
    if (!shown) {
      stage(volume, staging, access);
    }
    if (!device && !readOnly && volumes.isReadOnly(path)) {
      throw CsiException.failedPrecondition(
          "the volume is read-only at staging_target_path, so it can't be published for writing");
    }
  }

  /**
   * Ends with nothing of the volume at the staging path and, unless it is staged elsewhere too, no
   * device on this node.
   *
   * @param volumeId may be unknown
   * @throws CsiException FAILED_PRECONDITION if something else is mounted there, or the volume is
   *     still mounted elsewhere (B044) or open (B043)
   */
  void unstage(String volumeId, Path path) {
    boolean mounted = volumes.isOursToTake(volumeId, path);
    boolean named =
        stagings.at(path).filter(there -> there.getVolumeId().equals(volumeId)).isPresent();
    Record volume = volumes.find(volumeId).orElse(null);
    if (volume == null) {
      unstageLost(path, mounted, named);
    } else {
      unstage(volume, path, mounted || named);
    }
    if (named) {
      stagings.remove(path);
    }
  }

  /** The record is lost, but what is staged is known to be ours. */
  private void unstageLost(Path path, boolean mounted, boolean named) {
    Optional<Path> data =
        mounted ? volumes.shownAt(path) : stagings.at(path).filter(s -> named).map(volumes::data);
    if (mounted) {
      detachment.unstage(path);
    }
    data.ifPresent(volumes::releaseLost);
  }

  private void unstage(Record volume, Path path, boolean staged) {
    VolumeBacking backing = volumes.backing(volume);
    BackedVolume backed = volumes.backed(volume);
    List<Path> elsewhere = elsewhere(volume, path);
    // As the kernel names it, which may be another way than the caller's.
    Path own = volumes.mountPoint(path).orElse(path);
    List<Mount> uses =
        backing.uses(backed).stream().filter(mount -> !mount.target().equals(own)).toList();
    if (staged && elsewhere.isEmpty() && !uses.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is still mounted at " + uses.getFirst().target() + "; unmount that first");
    }
    if (staged) {
      detachment.unstage(path);
    }
    if (elsewhere.isEmpty() && uses.isEmpty()) {
      backing.release(backed);
    }
  }

  /** Other paths that it is staged at: of what is mounted only those that the kernel shows. */
  private List<Path> elsewhere(Record volume, Path path) {
    boolean device = volumes.backing(volume).isDevice();
    return stagings.of(volume).stream()
        .filter(other -> !other.equals(path))
        .filter(other -> device || volumes.isShownAt(volume, other))
        .toList();
  }

  private static void requireDirectory(String field, Path path) {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      throw CsiException.failedPrecondition(
          field + " does not exist; the caller makes it before it stages");
    }
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw CsiException.invalidArgument(field + " is not a directory");
    }
  }
}
