package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * What statx tells of an open file. It is asked for what the kernel has in memory, so that a dead
 * network file system answers too.
 *
 * @param inode the number within its file system
 * @param device the number of its file system
 * @param mode type and permission bits
 * @param mountId of the mount that it lies on; which kind of number depends on what was asked for
 * @param mountRoot whether it is the root of that mount
 */
record FileStatus(long inode, long device, int mode, long mountId, boolean mountRoot) {
  /** Ask for the number that mountinfo shows, which is used again after an unmount. */
  static final int TABLE_ID = 0x1000;

  /** Ask for the number that is used once; Linux 6.8 and newer. */
  static final int UNIQUE_ID = 0x4000;

  private static final int TYPE_MODE_INODE = 0x1 | 0x2 | 0x100;
  private static final int EMPTY_PATH = 0x1000;
  private static final int NO_FOLLOW = 0x100;
  private static final int NO_SYNC = 0x4000;
  private static final int NO_AUTOMOUNT = 0x800;
  private static final long MOUNT_ROOT = 0x2000;
  private static final long STATX_BYTES = 256;

  private static final int TYPE = 0170000;
  private static final int LINK = 0120000;
  private static final int DIRECTORY = 0040000;

  static FileStatus of(Descriptor file, int kindOfId) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(STATX_BYTES, Long.BYTES);
      long _ =
          Syscalls.call(
              SystemCall.STATX,
              file.number(),
              Syscalls.emptyName(),
              EMPTY_PATH | NO_SYNC | NO_AUTOMOUNT,
              TYPE_MODE_INODE | kindOfId,
              status.address());
      return read(status, kindOfId);
    }
  }

  /**
   * Of what is at the name: a link itself, or the root of the topmost mount if one is there.
   *
   * @return null if nothing is
   */
  static @Nullable FileStatus at(Descriptor directory, byte[] name, int kindOfId)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(STATX_BYTES, Long.BYTES);
      long answer =
          Syscalls.answer(
              SystemCall.STATX,
              directory.number(),
              Syscalls.name(arena, name).address(),
              NO_FOLLOW | NO_SYNC | NO_AUTOMOUNT,
              TYPE_MODE_INODE | kindOfId,
              status.address());
      if (answer == -Errno.ENOENT || answer == -Errno.ENAMETOOLONG) {
        return null;
      }
      if (answer < 0) {
        throw new LinuxException(SystemCall.STATX, Math.toIntExact(-answer));
      }
      return read(status, kindOfId);
    }
  }

  private static FileStatus read(MemorySegment status, int kindOfId) throws LinuxException {
    if ((status.get(JAVA_INT, 0) & kindOfId) == 0) {
      // Linux before 5.8, where the calls that mount are missing as well.
      throw new LinuxException(SystemCall.STATX, Errno.ENOSYS);
    }
    long major = Integer.toUnsignedLong(status.get(JAVA_INT, 136));
    return new FileStatus(
        status.get(JAVA_LONG, 32),
        major << 32 | Integer.toUnsignedLong(status.get(JAVA_INT, 140)),
        Short.toUnsignedInt(status.get(JAVA_SHORT, 28)),
        status.get(JAVA_LONG, 144),
        (status.get(JAVA_LONG, 8) & MOUNT_ROOT) != 0);
  }

  boolean isLink() {
    return (mode & TYPE) == LINK;
  }

  boolean isDirectory() {
    return (mode & TYPE) == DIRECTORY;
  }

  /** The same directory or file, whatever the mount and the name. */
  boolean sameFile(FileStatus other) {
    return inode == other.inode && device == other.device;
  }
}
