package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Reads the names in a directory, as many as fit at a time. */
final class EntryCalls {
  private static final int ROOM_BYTES = 32 * 1024;

  /** struct linux_dirent64: length of the record, type, name with a NUL. */
  private static final int LENGTH = 16;

  private static final int TYPE = 18;
  private static final int NAME = 19;

  private EntryCalls() {}

  /** Without the two of dots; empty at the end. */
  static List<DirectoryEntry> next(Descriptor directory) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(ROOM_BYTES, Long.BYTES);
      List<DirectoryEntry> entries = new ArrayList<>();
      while (entries.isEmpty()) {
        long filled =
            Syscalls.call(SystemCall.GETDENTS64, directory.number(), room.address(), ROOM_BYTES);
        if (filled == 0) {
          break;
        }
        parse(room.asSlice(0, filled), entries);
      }
      return entries;
    }
  }

  private static void parse(MemorySegment records, List<DirectoryEntry> into) {
    long at = 0;
    while (at < records.byteSize()) {
      int length = Short.toUnsignedInt(records.get(JAVA_SHORT_UNALIGNED, at + LENGTH));
      long end = at + NAME;
      while (records.get(JAVA_BYTE, end) != 0) {
        end++;
      }
      byte[] name = records.asSlice(at + NAME, end - at - NAME).toArray(JAVA_BYTE);
      if (!FileName.isDots(name)) {
        into.add(
            new DirectoryEntry(
                FileName.of(name), NodeType.ofNumber(records.get(JAVA_BYTE, at + TYPE))));
      }
      at += length;
    }
  }
}
