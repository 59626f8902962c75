package dev.csijava.hostpath.mounts;

import dev.csijava.core.mount.Mount;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The node's mount table in the questions that this driver asks. Read anew at each call, except for
 * a report: the kernel is the fact (idea 4 of the architecture). Safe for use by several threads.
 */
public interface MountView {
  /**
   * All mounts whose mount point is this path or lies below it. Absolute path.
   *
   * @throws dev.csijava.core.CsiException UNAVAILABLE if the mount table can't be read
   */
  List<Mount> atOrBelow(Path path);

  /**
   * All mounts, wherever they are, that show this path of our file system or something below it:
   * binds of a volume, and binds of a folder in it. Absolute path.
   *
   * @throws dev.csijava.core.CsiException UNAVAILABLE if the mount table can't be read, or no mount
   *     in it holds the path, as in a chroot that is no mount
   */
  List<Mount> showing(Path path);

  /**
   * All mounts, wherever they are, of the file system on a block device, and all that show its
   * node.
   *
   * @param node the device node, absolute
   * @throws dev.csijava.core.CsiException UNAVAILABLE if the mount table can't be read
   */
  List<Mount> ofDevice(Path node);

  /** Whether a mount is one of the file system on this block device. */
  boolean isOn(Path node, Mount mount);

  /**
   * The node of the block device that a mount's file system lies on, under the kernel's own name.
   *
   * @return empty if it lies on none
   */
  Optional<Path> deviceOf(Mount mount);

  /**
   * The path of our tree that the topmost mount at a target shows, if it is below the given base.
   * Of a loop device, be it mounted or bound as a node, it is the path of the file. Works without
   * the volume being known, and without touching what is mounted.
   *
   * @return empty if nothing is mounted at the target, or something else
   */
  Optional<Path> shownAt(Path target, Path base);
}
