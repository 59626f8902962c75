package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Changes options of a file system that is mounted, for example the size of a tmpfs, in place and
 * under its users. What belongs to the mount and not to the file system (read-only, {@code nosuid}
 * and their like) stays as it is.
 *
 * <p>Implementations are safe for use by several threads and block until the kernel has answered.
 * The caller holds the lock of the volume.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface Remounter {
  /**
   * The implementation to use unless there is a reason: mount(8) with {@link
   * Mounter#DEFAULT_DEADLINE}.
   *
   * @since 0.1.0
   */
  static Remounter system() {
    return byPrograms(Mounter.DEFAULT_DEADLINE);
  }

  /**
   * The implementation that runs mount(8) of util-linux 2.34 or later, found on the {@code PATH}.
   *
   * @param deadline how long a call may wait for the program before it is killed
   * @throws IllegalArgumentException if the deadline is not positive
   * @since 0.1.0
   */
  static Remounter byPrograms(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline of a remount must be positive");
    }
    return new ProgramRemounter(new SystemPrograms(), MountTable::read, deadline);
  }

  /**
   * Changes options of the file system whose mount is the topmost one at a path. Changes them
   * wherever the file system is mounted. The kernel tells no way to compare options that were asked
   * for with those that came of it: look at the effect, for example with {@link UsageReader}.
   *
   * @param target where it is mounted: absolute and normalised
   * @param options what changes, as mount(8) takes it after {@code -o}, one an entry, for example
   *     {@code size=1073741824}; may be secret, and are not logged
   * @throws CsiException FAILED_PRECONDITION if nothing is mounted at the path, or if it is mounted
   *     read-only there and writable elsewhere: a remount by that path would make the whole file
   *     system read-only; INVALID_ARGUMENT for a path that is not absolute and normalised, and for
   *     an option that is not the file system's; INTERNAL if the file system refused, and nothing
   *     was changed; UNAVAILABLE if that is not certain
   * @since 0.1.0
   */
  void remount(Path target, List<String> options);
}
