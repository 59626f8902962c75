package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.RawPaths;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * What statmount wrote: numbers at fixed places, and texts that the numbers point to.
 *
 * @param parent the number of the mount that it lies on
 * @param whole whether the kernel told everything of it: Linux before 6.13 leaves out the source,
 *     before 6.11 the options of the file system too
 */
record MountAnswer(Mounted mounted, long parent, boolean whole) {
  private static final int TEXTS = 512;
  private static final long SHARED = 1 << 20;
  private static final int READ_ONLY = 0x1;
  private static final int SYNCHRONOUS = 0x10;

  /** struct statmount. */
  private static final int OPTIONS = 4;

  private static final int WRITTEN = 8;
  private static final int DEVICE_MAJOR = 16;
  private static final int DEVICE_MINOR = 20;
  private static final int FLAGS = 32;
  private static final int TYPE = 36;
  private static final int ID = 40;
  private static final int PARENT_ID = 48;
  private static final int TABLE_ID = 56;
  private static final int TABLE_PARENT_ID = 60;
  private static final int ATTRIBUTES = 64;
  private static final int PROPAGATION = 72;
  private static final int ROOT = 104;
  private static final int POINT = 108;
  private static final int SUBTYPE = 120;
  private static final int SOURCE = 124;
  private static final long HAS_OPTIONS = 0x80;
  private static final long HAS_SUBTYPE = 0x100;
  private static final long HAS_SOURCE = 0x200;

  static MountAnswer of(MemorySegment answer) {
    long written = answer.get(JAVA_LONG, WRITTEN);
    Mount mount =
        new Mount(
            unsigned(answer, TABLE_ID),
            unsigned(answer, TABLE_PARENT_ID),
            unsigned(answer, DEVICE_MAJOR) + ":" + unsigned(answer, DEVICE_MINOR),
            text(answer, ROOT),
            mountPoint(answer),
            MountAttributes.names(answer.get(JAVA_LONG, ATTRIBUTES)),
            type(answer, written),
            (written & HAS_SOURCE) == 0 ? "" : text(answer, SOURCE),
            superOptions(answer, written));
    return new MountAnswer(
        new Mounted(
            answer.get(JAVA_LONG, ID), mount, (answer.get(JAVA_LONG, PROPAGATION) & SHARED) != 0),
        answer.get(JAVA_LONG, PARENT_ID),
        (written & HAS_SOURCE) != 0);
  }

  /** As the table has it, {@code fuse.bindfs} for example. */
  private static String type(MemorySegment answer, long written) {
    String type = text(answer, TYPE);
    return (written & HAS_SUBTYPE) == 0 ? type : type + "." + text(answer, SUBTYPE);
  }

  /** The mount point, as this process sees it; empty if it is attached nowhere. */
  static byte[] point(MemorySegment answer) {
    return bytes(answer, POINT);
  }

  /** A clone that is attached nowhere has no mount point. */
  private static Path mountPoint(MemorySegment answer) {
    byte[] point = point(answer);
    return point.length == 0 ? Path.of("/") : RawPaths.of(point);
  }

  private static Set<String> superOptions(MemorySegment answer, long written) {
    Set<String> options = new HashSet<>();
    int flags = answer.get(JAVA_INT, FLAGS);
    options.add((flags & READ_ONLY) == 0 ? "rw" : "ro");
    if ((flags & SYNCHRONOUS) != 0) {
      options.add("sync");
    }
    if ((written & HAS_OPTIONS) != 0) {
      addSplit(options, text(answer, OPTIONS));
    }
    return options;
  }

  /** A security label may hold commas; it stands in quotes then. */
  private static void addSplit(Set<String> options, String all) {
    boolean quoted = false;
    int start = 0;
    for (int i = 0; i <= all.length(); i++) {
      if (i == all.length() || (all.charAt(i) == ',' && !quoted)) {
        if (i > start) {
          options.add(all.substring(start, i));
        }
        start = i + 1;
      } else if (all.charAt(i) == '"') {
        quoted = !quoted;
      }
    }
  }

  private static long unsigned(MemorySegment answer, int at) {
    return Integer.toUnsignedLong(answer.get(JAVA_INT, at));
  }

  private static String text(MemorySegment answer, int pointer) {
    return new String(bytes(answer, pointer), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(MemorySegment answer, int pointer) {
    long start = TEXTS + unsigned(answer, pointer);
    long end = start;
    while (end < answer.byteSize() && answer.get(JAVA_BYTE, end) != 0) {
      end++;
    }
    byte[] bytes = new byte[Math.toIntExact(end - start)];
    MemorySegment.copy(answer, JAVA_BYTE, start, bytes, 0, bytes.length);
    return bytes;
  }
}
