package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Measures volumes. Safe for use by several threads; blocks until the file system has answered.
 *
 * @since 0.1.0
 */
public interface UsageReader {
  /**
   * The best implementation for this system, chosen as {@link Mounter#system} is.
   *
   * @since 0.1.0
   */
  static UsageReader system() {
    return SystemMounts.get().usageReader();
  }

  /**
   * The implementation that runs stat(1), so that a hung file system costs the deadline and not a
   * thread. Where the program is missing it answers without inodes.
   *
   * @param deadline how long a call may wait for the program before it is killed
   * @throws IllegalArgumentException if the deadline is not positive
   * @since 0.1.0
   */
  static UsageReader byPrograms(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline of a measurement must be positive");
    }
    return new ProgramUsageReader(new SystemPrograms(), deadline);
  }

  /**
   * The room in the file system that this path lies on.
   *
   * @param path absolute, as this process sees it
   * @throws CsiException NOT_FOUND if nothing is at the path; INTERNAL if the file system does not
   *     answer, or not in time
   * @since 0.1.0
   */
  VolumeUsage ofFileSystem(Path path);

  /**
   * The size of a block volume. Opens the device for reading, and does not read.
   *
   * @param path the device node, or the file that it is bound onto: absolute, as this process sees
   *     it, a link not followed
   * @throws CsiException NOT_FOUND if nothing is at the path; FAILED_PRECONDITION if it is no block
   *     device, as when it is not published; INTERNAL if the device does not answer
   * @since 0.1.0
   */
  VolumeUsage ofBlockDevice(Path path);
}
