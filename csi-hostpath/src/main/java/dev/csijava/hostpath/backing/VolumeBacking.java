package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.VolumeUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What the data of a volume is and what is done with it, from create to delete. The caller holds
 * the locks of the volume and of the paths (rule K8). Safe for use by several threads.
 */
public interface VolumeBacking {
  /**
   * Makes the data of an empty volume, all on disk when this returns.
   *
   * @param volume its record, not committed yet, and where the data goes; nothing is there
   */
  void make(BackedVolume volume) throws IOException;

  /**
   * Fills a new volume or snapshot with a copy, all on disk when this returns.
   *
   * @param from the data of a source that {@link BackingChoice} allowed
   * @param volume its record, not committed yet, and where the copy goes; nothing is there
   */
  void copy(Path from, BackedVolume volume) throws IOException;

  /**
   * The same, but files that can't be read are left out where the data is files; a part of an image
   * or of a raw block volume can't be.
   */
  default void copyReadable(Path from, BackedVolume volume) throws IOException {
    copy(from, volume);
  }

  /**
   * Gives the data another size: the controller's part of an expansion, or its undoing. What uses
   * the volume on this node does not see it before {@link #growOnNode}.
   *
   * @param bytes not below the size that was committed last
   */
  void resize(BackedVolume volume, long bytes) throws IOException;

  /** Whether a node has to do something before a larger size is seen. */
  boolean growsOnNode();

  /** What is wrong with the data itself; empty if nothing is. Never hangs on a mount. */
  List<VolumeFault> faults(BackedVolume volume);

  /** Whether the volume is handed to pods as a device, so that a target is a file. */
  boolean isDevice();

  /**
   * All mounts, wherever they are, that show the volume or a part of it.
   *
   * @throws CsiException UNAVAILABLE if the mount table can't be read
   */
  List<Mount> uses(BackedVolume volume);

  /** Whether the topmost mount at a path shows the volume. Never asks what is mounted there. */
  boolean isShownAt(BackedVolume volume, Path path);

  /**
   * Makes the volume available at a staging path, or, of a device, on this node. Nothing is done
   * where that is so already.
   *
   * @throws CsiException ALREADY_EXISTS if it is there with other options; FAILED_PRECONDITION if
   *     the data is not fit to be used; INTERNAL if it failed, and nothing is left; UNAVAILABLE if
   *     something is
   */
  void stage(BackedVolume volume, Path staging, NodeAccess access);

  /**
   * Binds a staged volume to a target that exists.
   *
   * @throws CsiException ALREADY_EXISTS if something else, or the same in another read-only state,
   *     is there; FAILED_PRECONDITION if it can't be had in that read-only state
   */
  void publish(BackedVolume volume, Path staging, Path target, NodeAccess access);

  /**
   * Lets go of what {@link #stage} took, the mount at the staging path excepted, which is gone
   * already. Nothing happens if nothing was taken.
   *
   * @throws CsiException FAILED_PRECONDITION, with the holder, if something still uses it
   */
  void release(BackedVolume volume);

  /**
   * Makes the larger size visible to whoever uses the volume: the node's part of an expansion.
   *
   * @param path where the volume is seen
   * @throws CsiException FAILED_PRECONDITION if it can't be done while the volume is in use; it is
   *     done when it is staged next; INTERNAL if it failed
   */
  void growOnNode(BackedVolume volume, Path path);

  /**
   * How full the volume is.
   *
   * @param path where it is seen
   */
  VolumeUsage usage(Path path);
}
