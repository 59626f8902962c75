package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;

/** The calls that change what a file system knows of a file beside its content. */
final class NodeCalls {
  private static final long CURRENT_DIRECTORY = -100;
  private static final long EMPTY_PATH = 0x1000;

  /** Two of struct timespec: seconds, nanoseconds. */
  private static final long TIMES_BYTES = 32;

  private NodeCalls() {}

  static void setOwner(Descriptor node, int user, int group) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.FCHOWNAT,
          node.number(),
          Syscalls.name(arena, new byte[0]).address(),
          user,
          group,
          EMPTY_PATH);
    }
  }

  /** By path: fchmod refuses what is only a place, and fchmodat2 needs Linux 6.6. */
  static void setMode(Descriptor node, int mode) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.FCHMODAT,
          CURRENT_DIRECTORY,
          Syscalls.name(arena, node.path()).address(),
          mode);
    }
  }

  static void setTimes(Descriptor node, Instant accessed, Instant modified) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment times = arena.allocate(TIMES_BYTES, Long.BYTES);
      times.set(JAVA_LONG, 0, accessed.getEpochSecond());
      times.set(JAVA_LONG, 8, accessed.getNano());
      times.set(JAVA_LONG, 16, modified.getEpochSecond());
      times.set(JAVA_LONG, 24, modified.getNano());
      Syscalls.run(
          SystemCall.UTIMENSAT,
          node.number(),
          Syscalls.name(arena, new byte[0]).address(),
          times.address(),
          EMPTY_PATH,
          0);
    }
  }
}
