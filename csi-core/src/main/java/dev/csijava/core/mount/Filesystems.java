package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * File systems on block devices and in image files. Each call but {@link #probe} takes a device
 * that nobody else uses at that moment; the caller holds the lock of the volume.
 *
 * <p>Safe for use by several threads; blocks until the program has ended, at most for the deadline.
 * Where a program can't be killed then, because the kernel holds it, and what it still does is not
 * known, the code is UNAVAILABLE instead of INTERNAL.
 *
 * @since 0.1.0
 */
public interface Filesystems {
  /**
   * The implementation that runs blkid(8) and the programs of e2fsprogs and xfsprogs.
   *
   * @param deadline how long one run may take before it is killed
   * @param mostAtOnce how many file systems are made at one time in this process; others wait
   * @throws IllegalArgumentException if one of them is not positive
   * @since 0.1.0
   */
  static Filesystems byPrograms(Duration deadline, int mostAtOnce) {
    if (deadline.isNegative() || deadline.isZero() || mostAtOnce < 1) {
      throw new IllegalArgumentException("deadline and number at once must be positive");
    }
    return new ProgramFilesystems(new SystemPrograms(), deadline, mostAtOnce);
  }

  /**
   * Says what is there. Reads; never writes.
   *
   * @param device an absolute path to a block device or a file
   * @since 0.1.0
   */
  ProbeResult probe(Path device);

  /**
   * Makes a file system where there provably is none (rule K1).
   *
   * @param neverFormatted what the volume's record says; the device is not even probed if it is
   *     false
   * @throws CsiException FAILED_PRECONDITION unless the record says never formatted and the probe
   *     says blank; INTERNAL if the program failed
   * @since 0.1.0
   */
  void make(Path device, FileSystemType type, boolean neverFormatted);

  /**
   * Checks a file system that is not mounted, and mends what can be mended without loss. For xfs,
   * which replays its log and checks itself when it is mounted, nothing happens.
   *
   * @throws CsiException INTERNAL if errors are left
   * @since 0.1.0
   */
  void check(Path device, FileSystemType type);

  /**
   * Makes a mounted file system as large as its device. For ext4 the process needs
   * CAP_SYS_RESOURCE, which a container has only if it is privileged or asks for it.
   *
   * @param mountPoint where it is mounted, writable
   * @throws CsiException INTERNAL if it did not grow
   * @since 0.1.0
   */
  void grow(Path device, Path mountPoint, FileSystemType type);

  /**
   * Checks a file system that is not mounted, and makes it as large as its device. For xfs, which
   * grows only while it is mounted, nothing happens.
   *
   * @throws CsiException INTERNAL if it has errors that are not mended without loss, or did not
   *     grow
   * @since 0.1.0
   */
  void growUnmounted(Path device, FileSystemType type);

  /**
   * Gives a copy that is not mounted an UUID of its own, so that it can be mounted beside what it
   * was copied from. The contents stay.
   *
   * @throws CsiException FAILED_PRECONDITION if an xfs log has to be replayed first by a mount with
   *     {@code nouuid}; INTERNAL if the program failed
   * @since 0.1.0
   */
  void renewUuid(Path device, FileSystemType type);
}
