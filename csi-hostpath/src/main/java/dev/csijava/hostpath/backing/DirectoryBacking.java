package dev.csijava.hostpath.backing;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Volumes that are plain directories: any size is granted, and none is enforced. */
final class DirectoryBacking implements VolumeBacking {
  private final Disk disk;
  private final TreeCopier copier;
  private final CutLocks unused;
  private final Mounter mounter;
  private final MountView mounts;
  private final UsageReader usage;

  /**
   * @param unused keeps a volume that nobody uses so while it is cut as one of a group
   */
  DirectoryBacking(
      Disk disk,
      TreeCopier copier,
      CutLocks unused,
      Mounter mounter,
      MountView mounts,
      UsageReader usage) {
    this.disk = disk;
    this.copier = copier;
    this.unused = unused;
    this.mounter = mounter;
    this.mounts = mounts;
    this.usage = usage;
  }

  /**
   * A directory that its owner, root, may write and others may read, as the Go driver makes it;
   * kubelet gives it to a pod's group where the pod asks for one.
   */
  @Override
  public void make(BackedVolume volume) throws IOException {
    Files.createDirectory(volume.data());
    // Not by the call above, where the umask of this process would have a say (B124).
    Files.setPosixFilePermissions(volume.data(), PosixFilePermissions.fromString("rwxr-xr-x"));
    disk.syncFolder(volume.data());
  }

  @Override
  public void copy(Path from, BackedVolume volume) throws IOException {
    copier.copy(from, volume.data());
  }

  @Override
  public void copyReadable(Path from, BackedVolume volume) throws IOException {
    copier.ignoringFailedReads().copy(from, volume.data());
  }

  /** The size is nominal: the record is all that changes. */
  @Override
  public void resize(BackedVolume volume, long bytes) {}

  @Override
  public boolean growsOnNode() {
    return false;
  }

  @Override
  public List<VolumeFault> faults(BackedVolume volume) {
    return Files.isDirectory(volume.data(), LinkOption.NOFOLLOW_LINKS)
        ? List.of()
        : List.of(
            new VolumeFault(
                VolumeHealthErrorType.DATA_LOSS,
                "DirectoryMissing",
                "the directory of the volume is gone"));
  }

  @Override
  public boolean isDevice() {
    return false;
  }

  @Override
  public List<Mount> uses(BackedVolume volume) {
    return mounts.showing(volume.data());
  }

  @Override
  public boolean isShownAt(BackedVolume volume, Path path) {
    return mounter.isMountOf(volume.data(), path);
  }

  @Override
  public void stage(BackedVolume volume, Path staging, NodeAccess access) {
    try (CutHold _ = unused.forChange(volume.data())) {
      mounter.bind(volume.data(), staging, access.options());
    }
  }

  @Override
  public void publish(BackedVolume volume, Path staging, Path target, NodeAccess access) {
    mounter.bind(staging, target, access.options());
  }

  @Override
  public void release(BackedVolume volume) {}

  @Override
  public void growOnNode(BackedVolume volume, Path path) {}

  /** The numbers of the file system that the directory lies on; no tree is walked. */
  @Override
  public VolumeUsage usage(Path path) {
    return usage.ofFileSystem(path);
  }
}
