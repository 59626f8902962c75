package dev.csijava.hostpath.controller;

import dev.csijava.hostpath.copy.TreeCopier;
import dev.csijava.hostpath.disk.Disk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Volumes that are plain directories: any size is granted, and none is enforced. */
public final class DirectoryBacking {
  private final Disk disk;
  private final TreeCopier copier;

  /**
   * @param copier for snapshots, restores and clones
   */
  public DirectoryBacking(Disk disk, TreeCopier copier) {
    this.disk = disk;
    this.copier = copier;
  }

  /**
   * Makes an empty volume that its owner, root, may write and others may read, as the Go driver
   * does; kubelet gives it to a pod's group where the pod asks for one.
   */
  public void makeEmpty(Path data) throws IOException {
    Files.createDirectory(data);
    // Not by the call above, where the umask of this process would have a say.
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxr-xr-x"));
    disk.syncFolder(data);
  }

  /** Copies the data of a volume or snapshot. */
  public void copy(Path from, Path data) throws IOException {
    copier.copy(from, data);
  }
}
