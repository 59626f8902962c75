package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;

/**
 * What the kernel says of an attached loop device.
 *
 * @param fileSystem the packed number of the file system that its file lies on
 * @param inode of its file
 * @param whole whether it shows all of its file
 * @param tag what whoever attached it left with it
 */
record LoopStatus(
    long fileSystem, long inode, boolean whole, boolean readOnly, boolean directIo, String tag) {
  static final int READ_ONLY = 1;
  static final int AUTOCLEAR = 4;
  static final int DIRECT_IO = 16;

  /** struct loop_info64. */
  static final int BYTES = 232;

  private static final int INODE = 8;
  private static final int OFFSET = 24;
  private static final int SIZE_LIMIT = 32;
  private static final int FLAGS = 52;
  private static final int NAME = 56;
  private static final int NAME_BYTES = 64;

  /** struct loop_config: descriptor of the file, size of a sector, loop_info64. */
  private static final int CONFIG_BYTES = 304;

  private static final int CONFIG_SECTOR = 4;
  private static final int CONFIG_STATUS = 8;

  /**
   * Always the same one, or a file system that was made where sectors have 512 bytes could not be
   * mounted after its image moved to a disk that has others.
   */
  private static final int SECTOR_BYTES = 512;

  /**
   * @throws LinuxException ENXIO if nothing is attached
   */
  static LoopStatus of(Descriptor device) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(BYTES, Long.BYTES);
      Ioctl.LOOP_STATUS.on(device, status.address());
      int flags = status.get(JAVA_INT, FLAGS);
      return new LoopStatus(
          status.get(JAVA_LONG, 0),
          status.get(JAVA_LONG, INODE),
          status.get(JAVA_LONG, OFFSET) == 0 && status.get(JAVA_LONG, SIZE_LIMIT) == 0,
          (flags & READ_ONLY) != 0,
          (flags & DIRECT_IO) != 0,
          tag(status));
    }
  }

  private static String tag(MemorySegment status) {
    byte[] name = status.asSlice(NAME, NAME_BYTES).toArray(JAVA_BYTE);
    int length = 0;
    while (length < name.length && name[length] != 0) {
      length++;
    }
    return new String(name, 0, length, StandardCharsets.ISO_8859_1);
  }

  /** Attaches a file at one moment, tag and flags included. */
  static void configure(Descriptor device, Descriptor file, int flags, String tag)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment config = arena.allocate(CONFIG_BYTES, Long.BYTES);
      config.set(JAVA_INT, 0, file.number());
      config.set(JAVA_INT, CONFIG_SECTOR, SECTOR_BYTES);
      MemorySegment status = config.asSlice(CONFIG_STATUS, BYTES);
      status.set(JAVA_INT, FLAGS, flags);
      byte[] name = tag.getBytes(StandardCharsets.ISO_8859_1);
      MemorySegment.copy(name, 0, status, JAVA_BYTE, NAME, name.length);
      Ioctl.LOOP_CONFIGURE.on(device, config.address());
    }
  }

  /** Has the kernel release it when the last one closes it. */
  static void releaseWhenUnused(Descriptor device) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment status = arena.allocate(BYTES, Long.BYTES);
      Ioctl.LOOP_STATUS.on(device, status.address());
      status.set(JAVA_INT, FLAGS, status.get(JAVA_INT, FLAGS) | AUTOCLEAR);
      Ioctl.LOOP_SET_STATUS.on(device, status.address());
    }
  }

  boolean isOf(NodeStatus file) {
    return inode == file.inode() && fileSystem == file.fileSystem().packed();
  }
}
