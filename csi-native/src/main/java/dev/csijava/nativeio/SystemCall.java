package dev.csijava.nativeio;

import java.util.Locale;

/** The system calls that are made, with their numbers on x86-64 and on aarch64. */
enum SystemCall {
  CLOSE(3, 57),
  COPY_FILE_RANGE(326, 285),
  FALLOCATE(285, 47),
  FCHMODAT(268, 53),
  FCHOWNAT(260, 54),
  FDATASYNC(75, 83),
  FLOCK(73, 32),
  FSCONFIG(431, 431),
  FSMOUNT(432, 432),
  FSOPEN(430, 430),
  FSTATFS(138, 44),
  FSYNC(74, 82),
  FTRUNCATE(77, 46),
  GETDENTS64(217, 61),
  GETXATTR(191, 8),
  IOCTL(16, 29),
  LINKAT(265, 37),
  LISTMOUNT(458, 458),
  LISTXATTR(194, 11),
  LSEEK(8, 62),
  MKDIRAT(258, 34),
  MKNODAT(259, 33),
  MOUNT_SETATTR(442, 442),
  MOVE_MOUNT(429, 429),
  OPENAT(257, 56),
  OPENAT2(437, 437),
  OPEN_TREE(428, 428),
  OPEN_TREE_ATTR(467, 467),
  PREAD64(17, 67),
  PWRITE64(18, 68),
  READ(0, 63),
  READLINKAT(267, 78),
  REMOVEXATTR(197, 14),
  RENAMEAT2(316, 276),
  SETXATTR(188, 5),
  STATMOUNT(457, 457),
  STATX(332, 291),
  SYMLINKAT(266, 36),
  SYNCFS(306, 267),
  UMOUNT2(166, 39),
  UNLINKAT(263, 35),
  UTIMENSAT(280, 88);

  private final int x86;
  private final int arm;

  SystemCall(int x86, int arm) {
    this.x86 = x86;
    this.arm = arm;
  }

  int number(Architecture architecture) {
    return switch (architecture) {
      case X86_64 -> x86;
      case AARCH64 -> arm;
      case OTHER -> throw new IllegalStateException("system calls are made on Linux only");
    };
  }

  /** Whether a call that a signal interrupted has done nothing, and is to be made again. */
  boolean isRepeatable() {
    return this != CLOSE;
  }

  /** As the manual calls it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
