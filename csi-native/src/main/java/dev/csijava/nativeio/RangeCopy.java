package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Copies a range of one file to the same place in another. */
final class RangeCopy {
  private static final long MOST_AT_ONCE = 1 << 30;
  private static final long BUFFER_BYTES = 1 << 20;

  private RangeCopy() {}

  static long copy(Descriptor from, Descriptor to, long offset, long length) throws LinuxException {
    long done = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment in = arena.allocate(JAVA_LONG);
      MemorySegment out = arena.allocate(JAVA_LONG);
      in.set(JAVA_LONG, 0, offset);
      out.set(JAVA_LONG, 0, offset);
      while (done < length) {
        long copied =
            Syscalls.call(
                SystemCall.COPY_FILE_RANGE,
                from.number(),
                in.address(),
                to.number(),
                out.address(),
                Math.min(length - done, MOST_AT_ONCE));
        if (copied == 0) {
          break;
        }
        done += copied;
      }
    } catch (LinuxException e) {
      // Two kinds of file system, a block device, or a kernel that does not permit it.
      if (!e.is(Errno.EXDEV, Errno.EINVAL, Errno.EOPNOTSUPP, Errno.ETXTBSY) && !e.refused()) {
        throw e;
      }
    }
    // Also after a zero: some file systems answer that to mean that they can't.
    return done < length ? done + throughMemory(from, to, offset + done, length - done) : done;
  }

  private static long throughMemory(Descriptor from, Descriptor to, long offset, long length)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment buffer = arena.allocate(Math.min(BUFFER_BYTES, length));
      long done = 0;
      while (done < length) {
        long read =
            Syscalls.call(
                SystemCall.PREAD64,
                from.number(),
                buffer.address(),
                Math.min(buffer.byteSize(), length - done),
                offset + done,
                0);
        if (read == 0) {
          break;
        }
        long written = 0;
        while (written < read) {
          written +=
              Syscalls.call(
                  SystemCall.PWRITE64,
                  to.number(),
                  buffer.address() + written,
                  read - written,
                  offset + done + written,
                  0);
        }
        done += read;
      }
      return done;
    }
  }
}
