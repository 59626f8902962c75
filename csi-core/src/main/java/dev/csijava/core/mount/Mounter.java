package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Mounts and unmounts on this node. All paths are absolute, normalised and as this process sees
 * them; the last component of a target is never a followed link.
 *
 * <p>Implementations are safe for use by several threads and block until the kernel has answered.
 * The caller holds the lock of the target. What the kernel shows afterwards decides, not what the
 * mount call reported (rules K4 and K5).
 *
 * @since 0.1.0
 */
public interface Mounter {
  /**
   * Makes a directory or file visible at a target, which exists and is of the same type. Nothing
   * happens if it already is there with these options; if it is there several times, one stays. A
   * mount that fails half-way is undone.
   *
   * @param source what is to appear at the target
   * @param target the mount point
   * @throws CsiException ALREADY_EXISTS if something else, or the same with another read-only
   *     state, is mounted at the target; FAILED_PRECONDITION if source or target is missing, a
   *     link, or of the wrong type; INTERNAL if the mount failed and nothing of it is left
   * @since 0.1.0
   */
  void bind(Path source, Path target, MountOptions options);

  /**
   * Mounts a file system at a target, a directory, through mount(8), which calls the helper of the
   * file system if there is one. Bounded by a deadline.
   *
   * @param source a device or whatever the file system takes, for example {@code server:/export}
   * @param target the mount point
   * @param fileSystemType for example {@code ext4} or {@code nfs}
   * @param options as mount(8) takes them after {@code -o}, one an entry; may be secret, and are
   *     not logged
   * @throws CsiException as {@link #bind} does
   * @since 0.1.0
   */
  void mount(String source, Path target, String fileSystemType, List<String> options);

  /**
   * Ends with nothing mounted at the target, whatever was there: nothing, a missing path, several
   * mounts one upon the other, a broken mount. The target itself stays; see {@code TargetPath}.
   *
   * @throws CsiException FAILED_PRECONDITION if a mount is in use and stays; INTERNAL otherwise
   * @since 0.1.0
   */
  void unmount(Path target);

  /**
   * The topmost mount at exactly this path; empty if the path is no mount point or does not exist.
   * Never touches the mounted file system, so a dead one does not hang it.
   *
   * @since 0.1.0
   */
  Optional<Mount> mountAt(Path target);

  /**
   * Whether the topmost mount at the target shows this very directory or file: compares device and
   * inode, not names.
   *
   * @return false if nothing is mounted there
   * @since 0.1.0
   */
  boolean isMountOf(Path source, Path target);
}
