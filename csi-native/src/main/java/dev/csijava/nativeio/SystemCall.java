package dev.csijava.nativeio;

import java.util.Locale;

/** The system calls that are made, with their numbers on x86-64 and on aarch64. */
enum SystemCall {
  CLOSE(3, 57),
  FSTATFS(138, 44),
  IOCTL(16, 29),
  LISTMOUNT(458, 458),
  MOUNT_SETATTR(442, 442),
  MOVE_MOUNT(429, 429),
  OPENAT(257, 56),
  OPENAT2(437, 437),
  OPEN_TREE(428, 428),
  STATMOUNT(457, 457),
  STATX(332, 291),
  UMOUNT2(166, 39);

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

  /** As the manual calls it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
