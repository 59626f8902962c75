package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;
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
   * How long one run of mount(8) or umount(8) may take unless said otherwise: less than the two
   * minutes that kubelet waits for a call.
   *
   * @since 0.1.0
   */
  Duration DEFAULT_DEADLINE = Duration.ofSeconds(110);

  /**
   * The best implementation for this system, the one to use unless there is a reason: by system
   * calls where csi-native is on the class path and works, else by programs. The choice is made
   * once a process, and written to the log with its reason.
   *
   * @since 0.1.0
   */
  static Mounter system() {
    return SystemMounts.get().mounter();
  }

  /**
   * The implementation that runs mount(8) and umount(8) of util-linux, found on the {@code PATH}.
   * It works on every JDK and serves file systems that need a helper.
   *
   * <p>It can't promise that a new mount never is in the peer group of its source, and, before
   * util-linux 2.39, that a read-only one never is writable: both last from one system call of
   * mount(8) to the next, and a mount that ends there is undone.
   *
   * @param deadline how long a call may wait for a program before it is killed, children included
   * @throws IllegalArgumentException if the deadline is not positive
   * @since 0.1.0
   */
  static Mounter byPrograms(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline of a mount must be positive");
    }
    return new ProgramMounter(deadline);
  }

  /**
   * Makes a directory or file visible at a target, which exists and is of the same type; a device
   * counts as a file. Nothing happens if it already is there with these options; if it is there
   * several times, one stays. Options of the source's mount are kept: what lies on a {@code nosuid}
   * mount is {@code nosuid} at the target too. The new mount is private: what is mounted on it
   * later appears nowhere else. A mount that fails half-way is undone.
   *
   * @param source what is to appear at the target; not what is mounted below it
   * @param target the mount point
   * @throws CsiException ALREADY_EXISTS if something else, or the same with another read-only state
   *     or without an option that is asked for, is mounted at the target; FAILED_PRECONDITION if
   *     source or target is missing, a link, or of the wrong type; INVALID_ARGUMENT if a path is
   *     not absolute and normalised; INTERNAL if the mount failed and nothing of it is left;
   *     UNAVAILABLE if that is not certain
   * @since 0.1.0
   */
  void bind(Path source, Path target, MountOptions options);

  /**
   * Mounts a file system at a target, a directory. Through mount(8), which calls the helper of the
   * file system if there is one, bounded by a deadline; csi-native asks the kernel itself where the
   * file system is ext2, ext3, ext4, xfs or btrfs on a block device or tmpfs, has no helper, and
   * all options are the kernel's. Read-only only where {@code ro} is among the options: what comes
   * up read-only by itself is undone. {@code ro}, {@code nosuid}, {@code nodev}, {@code noexec} and
   * {@code noatime} are read back; the other options are the file system's own. The new mount is
   * private.
   *
   * @param source a device or whatever the file system takes, for example {@code server:/export}
   * @param target the mount point
   * @param fileSystemType for example {@code ext4} or {@code nfs}
   * @param options as mount(8) takes them after {@code -o}, one an entry; may be secret, and are
   *     not logged. Other processes of the node can see them while a program runs
   * @throws CsiException as {@link #bind} does; INVALID_ARGUMENT also for an option that asks for
   *     something else than mounting this at the target, for example {@code remount}
   * @since 0.1.0
   */
  void mount(String source, Path target, String fileSystemType, List<String> options);

  /**
   * Changes options of the file system whose mount is the topmost one at a target, in place and
   * under its users, for example the size of a tmpfs. It changes wherever it is mounted; what
   * belongs to a mount and not to the file system (read-only, {@code nosuid} and their like) stays.
   * Through mount(8) of util-linux 2.34 or later, whatever the implementation, with {@link
   * #DEFAULT_DEADLINE}. The kernel tells no way to compare what was asked for with what came of it:
   * look at the effect, for example with {@link UsageReader}.
   *
   * @param target where it is mounted
   * @param options what changes, as mount(8) takes it after {@code -o}, one an entry, for example
   *     {@code size=1073741824}; may be secret, and are not logged
   * @throws CsiException FAILED_PRECONDITION if nothing is mounted at the target, or if it is
   *     mounted read-only there and is writable elsewhere: by that path the whole file system would
   *     become read-only; INVALID_ARGUMENT for a path that is not absolute and normalised, and for
   *     an option that is not the file system's; INTERNAL if the file system refused, and nothing
   *     was changed; UNAVAILABLE if that is not certain
   * @since 0.1.0
   */
  default void remount(Path target, List<String> options) {
    new ProgramRemounter(new SystemPrograms(), MountTable::read, DEFAULT_DEADLINE)
        .remount(target, options);
  }

  /**
   * Ends with nothing mounted at the target, whatever was there: nothing, a missing path, several
   * mounts one upon the other, a broken mount. A mount at the path that another one further up the
   * tree hides is an error: it can't be reached and holds its device as before. Never lazy: when it
   * returns, nothing uses the mount any more. The target itself stays; see {@link TargetPath}.
   *
   * @throws CsiException FAILED_PRECONDITION if a mount is in use and stays, with the processes
   *     that use it where they can be seen, or if one is hidden, with what hides it;
   *     INVALID_ARGUMENT if the path is not absolute and normalised; UNAVAILABLE if the kernel did
   *     not answer in time; INTERNAL otherwise
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
