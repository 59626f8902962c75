package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Reads the runs of a file's content in ascending order, some hundred at a time, so that a file in
 * a million pieces takes no more memory. What is between two runs is a hole. What is not yet on
 * disk is written first.
 *
 * <p>Belongs to the {@link OpenFile} it came from, and is used up once.
 *
 * @since 0.1.0
 */
public final class ExtentMap {
  private static final int AT_ONCE = 512;

  /** struct fiemap: start, length, flags, filled, room; then records. */
  private static final int HEAD_BYTES = 32;

  private static final int FLAGS = 16;
  private static final int FILLED = 20;
  private static final int ROOM = 24;
  private static final int WRITE_FIRST = 0x1;

  /** struct fiemap_extent: offset, place, length, and flags at the end. */
  private static final int EXTENT_BYTES = 56;

  private static final int EXTENT_FLAGS = 40;
  private static final int LAST = 0x1;

  /** Unknown, delayed, encoded, encrypted, not aligned, inline, in the tail of a block. */
  private static final int NOT_PLACED = 0x2 | 0x4 | 0x8 | 0x80 | 0x100 | 0x200 | 0x400;

  private static final int UNWRITTEN = 0x800;
  private static final int SHARED = 0x2000;

  private final Descriptor file;
  private final Deque<Extent> read = new ArrayDeque<>();
  private long from;
  private boolean ended;

  ExtentMap(Descriptor file, long from) {
    this.file = file;
    this.from = from;
  }

  /**
   * The next run; the first may begin before the offset that was asked for.
   *
   * @return empty at the end
   * @throws LinuxException EOPNOTSUPP if the file system has no such map, as tmpfs has none
   * @since 0.1.0
   */
  public Optional<Extent> next() throws LinuxException {
    if (read.isEmpty() && !ended) {
      fill();
    }
    return Optional.ofNullable(read.poll());
  }

  private void fill() throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment map = arena.allocate(HEAD_BYTES + AT_ONCE * EXTENT_BYTES, Long.BYTES);
      map.set(JAVA_LONG, 0, from);
      map.set(JAVA_LONG, 8, Long.MAX_VALUE - from);
      map.set(JAVA_INT, FLAGS, WRITE_FIRST);
      map.set(JAVA_INT, ROOM, AT_ONCE);
      Ioctl.EXTENT_MAP.on(file, map.address());
      int filled = map.get(JAVA_INT, FILLED);
      ended = filled == 0;
      for (int i = 0; i < filled; i++) {
        add(map.asSlice(HEAD_BYTES + (long) i * EXTENT_BYTES, EXTENT_BYTES));
      }
    }
  }

  private void add(MemorySegment extent) {
    int flags = extent.get(JAVA_INT, EXTENT_FLAGS);
    Extent one =
        new Extent(
            extent.get(JAVA_LONG, 0),
            extent.get(JAVA_LONG, 16),
            extent.get(JAVA_LONG, 8),
            (flags & UNWRITTEN) != 0,
            (flags & SHARED) != 0,
            (flags & NOT_PLACED) == 0);
    read.add(one);
    from = one.end();
    ended |= (flags & LAST) != 0;
  }
}
