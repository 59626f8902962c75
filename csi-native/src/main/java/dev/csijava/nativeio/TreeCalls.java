package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The calls that make, move and take away names in a directory. None follows a link. */
final class TreeCalls {
  private static final long REMOVE_DIRECTORY = 0x200;
  private static final long FOLLOW_MAGIC = 0x400;
  private static final long CURRENT_DIRECTORY = -100;
  private static final int LONGEST_LINK = 4096;

  private TreeCalls() {}

  static void makeDirectory(Descriptor directory, FileName name, int mode) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(SystemCall.MKDIRAT, directory.number(), of(arena, name), mode);
    }
  }

  static void makeNode(Descriptor directory, FileName name, int mode, long device)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(SystemCall.MKNODAT, directory.number(), of(arena, name), mode, device, 0);
    }
  }

  static void makeLink(Descriptor directory, FileName name, byte[] target) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.SYMLINKAT,
          Syscalls.name(arena, target).address(),
          directory.number(),
          of(arena, name));
    }
  }

  static byte[] readLink(Descriptor link) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(LONGEST_LINK);
      long length =
          Syscalls.call(
              SystemCall.READLINKAT,
              link.number(),
              Syscalls.name(arena, new byte[0]).address(),
              room.address(),
              LONGEST_LINK,
              0);
      return room.asSlice(0, length).toArray(JAVA_BYTE);
    }
  }

  /** By the path below /proc: the way by descriptor alone needs a capability more. */
  static void addName(Descriptor node, Descriptor directory, FileName name) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.LINKAT,
          CURRENT_DIRECTORY,
          Syscalls.name(arena, node.path()).address(),
          directory.number(),
          of(arena, name),
          FOLLOW_MAGIC);
    }
  }

  static void removeFile(Descriptor directory, FileName name) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(SystemCall.UNLINKAT, directory.number(), of(arena, name), 0);
    }
  }

  static void removeDirectory(Descriptor directory, FileName name) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(SystemCall.UNLINKAT, directory.number(), of(arena, name), REMOVE_DIRECTORY);
    }
  }

  static void rename(Descriptor from, FileName name, Descriptor to, FileName newName, int flags)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.RENAMEAT2,
          from.number(),
          of(arena, name),
          to.number(),
          of(arena, newName),
          flags);
    }
  }

  private static long of(Arena arena, FileName name) {
    return Syscalls.name(arena, name.bytes()).address();
  }
}
