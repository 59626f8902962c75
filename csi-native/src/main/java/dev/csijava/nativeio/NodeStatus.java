package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Instant;

/**
 * What the file system knows of an open file, directory, link or special file.
 *
 * @param type what it is
 * @param mode the twelve permission bits, set-id and sticky bits included
 * @param user the owner's number
 * @param group the group's number
 * @param links how many names it has
 * @param size in bytes
 * @param allocated how many bytes it takes on disk; less than the size where it has holes
 * @param inode its number within the file system
 * @param fileSystem the number of the file system
 * @param device for a device node, which device
 * @param accessed when it was read last, as far as that is kept
 * @param modified when its content changed last, or what somebody set instead
 * @param changed when anything of it changed last, by the clock of the file system; nobody can set
 *     it
 * @since 0.1.0
 */
public record NodeStatus(
    NodeType type,
    int mode,
    int user,
    int group,
    long links,
    long size,
    long allocated,
    long inode,
    DeviceNumber fileSystem,
    DeviceNumber device,
    Instant accessed,
    Instant modified,
    Instant changed) {
  private static final int BASIC = 0x7ff;
  private static final int EMPTY_PATH = 0x1000;
  private static final long STATX_BYTES = 256;
  private static final int PERMISSIONS = 07777;
  private static final long UNIT_OF_ALLOCATION = 512;

  static NodeStatus of(Descriptor file) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment answer = arena.allocate(STATX_BYTES, Long.BYTES);
      Syscalls.run(
          SystemCall.STATX,
          file.number(),
          Syscalls.name(arena, new byte[0]).address(),
          EMPTY_PATH,
          BASIC,
          answer.address());
      int mode = Short.toUnsignedInt(answer.get(JAVA_SHORT, 28));
      return new NodeStatus(
          NodeType.ofMode(mode),
          mode & PERMISSIONS,
          answer.get(JAVA_INT, 20),
          answer.get(JAVA_INT, 24),
          Integer.toUnsignedLong(answer.get(JAVA_INT, 16)),
          answer.get(JAVA_LONG, 40),
          answer.get(JAVA_LONG, 48) * UNIT_OF_ALLOCATION,
          answer.get(JAVA_LONG, 32),
          new DeviceNumber(answer.get(JAVA_INT, 136), answer.get(JAVA_INT, 140)),
          new DeviceNumber(answer.get(JAVA_INT, 128), answer.get(JAVA_INT, 132)),
          time(answer, 64),
          time(answer, 112),
          time(answer, 96));
    }
  }

  private static Instant time(MemorySegment answer, long at) {
    return Instant.ofEpochSecond(answer.get(JAVA_LONG, at), answer.get(JAVA_INT, at + 8));
  }

  /**
   * Whether both are one and the same file.
   *
   * @since 0.1.0
   */
  public boolean sameNode(NodeStatus other) {
    return inode == other.inode && fileSystem.equals(other.fileSystem);
  }
}
