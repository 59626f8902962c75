package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * Attaches image files as block devices. What is attached is the kernel's to say, so a device is
 * found again after a restart, and known to be gone after a reboot. A file is known by device and
 * inode, not by its name; a loop device over another loop device, as kubelet puts one over a
 * published block volume, has another file and is never touched.
 *
 * <p>Safe for use by several threads; blocks until the kernel has answered. The caller holds the
 * lock of the volume: two processes that attach one image at the same moment may get two devices.
 *
 * @since 0.1.0
 */
public interface LoopDevices {
  /**
   * The best implementation for this system.
   *
   * @since 0.1.0
   */
  static LoopDevices system() {
    return byPrograms(Duration.ofSeconds(60));
  }

  /**
   * The implementation that runs losetup(8) of util-linux.
   *
   * @param deadline how long a run may take before it is killed
   * @throws IllegalArgumentException if the deadline is not positive
   * @since 0.1.0
   */
  static LoopDevices byPrograms(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline of losetup must be positive");
    }
    return new ProgramLoopDevices(new SystemPrograms(), deadline);
  }

  /**
   * The whole image as a device: the one that it is attached as already, else a new one, with
   * direct I/O where the file system of the image can do it.
   *
   * @param image an absolute path; a link is followed
   * @param readOnly whether writes are to be refused
   * @throws CsiException NOT_FOUND if there is no image; FAILED_PRECONDITION if it is attached, but
   *     with the other read-only state, in part only, or more than once; INTERNAL if it can't be
   *     attached, in which case nothing is left
   * @since 0.1.0
   */
  LoopDevice attach(Path image, boolean readOnly);

  /**
   * The device that this image is attached as.
   *
   * @param image an absolute path; a link is followed
   * @return empty if it is not attached, or if there is no image
   * @throws CsiException FAILED_PRECONDITION if it is attached more than once or in part;
   *     UNAVAILABLE if the kernel's list can't be read
   * @since 0.1.0
   */
  Optional<LoopDevice> find(Path image);

  /**
   * Makes the device as large as its image has become (rule K10: grow the file first).
   *
   * @return the size of the device in bytes, not smaller than the image
   * @throws CsiException FAILED_PRECONDITION if the image is not attached; INTERNAL if the device
   *     did not grow
   * @since 0.1.0
   */
  long grow(Path image);

  /**
   * Ends with the image not attached. Nothing happens if it is not.
   *
   * @throws CsiException FAILED_PRECONDITION if something still uses the device; the kernel then
   *     releases it as soon as nobody does, and a later call finds nothing and returns
   * @since 0.1.0
   */
  void detach(Path image);
}
