package dev.csijava.hostpath.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.health.NodeHealth;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.mount.VolumeUsage.Amount;
import dev.csijava.hostpath.backing.BackedVolume;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeBacking;
import dev.csijava.hostpath.backing.VolumeFault;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/**
 * Health of volumes as this node sees them: the data, the mount, whether the file system still
 * answers and takes writes, and how full it is.
 */
public final class HostpathNodeHealth implements NodeHealth {
  /** As file systems say it that mount themselves read-only after an error; ext4 in both ways. */
  private static final Set<String> READ_ONLY = Set.of("ro", "emergency_ro", "shutdown");

  private static final VolumeFault SILENT =
      new VolumeFault(VolumeHealthErrorType.INACCESSIBLE, "IoError", "the volume does not answer");

  /** One part in so many left, and a volume is called nearly full. */
  static final long NEARLY_FULL = 20;

  private final ObjectStore volumes;
  private final Backings backings;
  private final Mounter mounter;
  private final BiPredicate<Record, Path> known;

  /**
   * @param mounter says what is mounted
   * @param known whether this node remembers that a volume was published or staged at a path
   */
  public HostpathNodeHealth(
      ObjectStore volumes, Backings backings, Mounter mounter, BiPredicate<Record, Path> known) {
    this.volumes = volumes;
    this.backings = backings;
    this.mounter = mounter;
    this.known = known;
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    Path path = TargetPath.of("volume_publish_path", request.getVolumePublishPath()).path();
    BackedVolume backed = new BackedVolume(volume, volumes.data(volume));
    if (!known.test(volume, path) && !backings.of(volume).isShownAt(backed, path)) {
      throw CsiException.notFound("the volume is not published at volume_publish_path");
    }
    List<VolumeFault> faults = new ArrayList<>(backings.of(volume).faults(backed));
    faults.addAll(seen(backed, path));
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(HostpathHealth.message(volume.getId(), faults))
        .build();
  }

  private List<VolumeFault> seen(BackedVolume volume, Path path) {
    VolumeBacking backing = backings.of(volume.record());
    Optional<Mount> mount = mounter.mountAt(path);
    if (mount.isEmpty() || !backing.isShownAt(volume, path)) {
      return List.of(
          new VolumeFault(
              VolumeHealthErrorType.INACCESSIBLE,
              "MountLost",
              "the volume is not mounted where it was published"));
    }
    List<VolumeFault> faults = new ArrayList<>();
    if (hasBecomeReadOnly(mount.get()) && !backing.isDevice()) {
      faults.add(
          new VolumeFault(
              VolumeHealthErrorType.INACCESSIBLE,
              "FileSystemReadOnly",
              "the file system takes no writes any more, as after an error"));
    }
    (answers(path) ? fullness(backing, path) : Optional.of(SILENT)).ifPresent(faults::add);
    return faults;
  }

  /** The whole file system refuses writes, although this mount of it would allow them. */
  private static boolean hasBecomeReadOnly(Mount mount) {
    return !Collections.disjoint(mount.superOptions(), READ_ONLY)
        && !mount.options().contains("ro");
  }

  /** An xfs that has shut itself down still tells how full it is, and nothing else. */
  private static boolean answers(Path path) {
    try {
      var ignored =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private static Optional<VolumeFault> fullness(VolumeBacking backing, Path path) {
    try {
      Amount bytes = backing.usage(path).bytes();
      boolean full = !backing.isDevice() && bytes.available() < bytes.total() / NEARLY_FULL;
      return full
          ? Optional.of(
              new VolumeFault(
                  VolumeHealthErrorType.DEGRADED,
                  "NearlyFull",
                  bytes.available() + " of " + bytes.total() + " bytes are left"))
          : Optional.empty();
    } catch (CsiException e) {
      return Optional.of(SILENT);
    }
  }
}
