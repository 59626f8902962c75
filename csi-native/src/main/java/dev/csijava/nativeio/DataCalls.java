package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.OptionalLong;

/** The calls on the content of one open file, and those that bring it to the disk. */
final class DataCalls {
  private static final long SEEK_SET = 0;
  private static final long SEEK_DATA = 3;
  private static final long SEEK_HOLE = 4;
  private static final long KEEP_SIZE = 0x01;
  private static final long PUNCH_HOLE = 0x02;
  private static final long ZERO_RANGE = 0x10;
  private static final long LOCK_EXCLUSIVE_AT_ONCE = 2 | 4;
  private static final long UNLOCK = 8;

  private DataCalls() {}

  static void setSize(Descriptor file, long size) throws LinuxException {
    Syscalls.run(SystemCall.FTRUNCATE, file.number(), size, 0);
  }

  static int read(Descriptor file, long offset, byte[] into) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment room = arena.allocate(Math.max(1, into.length));
      int done = 0;
      while (done < into.length) {
        long read =
            Syscalls.call(
                SystemCall.PREAD64,
                file.number(),
                room.address() + done,
                into.length - done,
                offset + done,
                0);
        if (read == 0) {
          break;
        }
        done += Math.toIntExact(read);
      }
      MemorySegment.copy(room, JAVA_BYTE, 0, into, 0, done);
      return done;
    }
  }

  static void rewind(Descriptor directory) throws LinuxException {
    Syscalls.run(SystemCall.LSEEK, directory.number(), 0, SEEK_SET);
  }

  static OptionalLong nextData(Descriptor file, long from) throws LinuxException {
    long answer = Syscalls.answer(SystemCall.LSEEK, file.number(), from, SEEK_DATA, 0, 0);
    if (answer == -Errno.ENXIO) {
      return OptionalLong.empty();
    }
    if (answer < 0) {
      throw new LinuxException(SystemCall.LSEEK, Math.toIntExact(-answer));
    }
    return OptionalLong.of(answer);
  }

  static long nextHole(Descriptor file, long from) throws LinuxException {
    return Syscalls.call(SystemCall.LSEEK, file.number(), from, SEEK_HOLE);
  }

  static boolean shareBlocks(Descriptor source, Descriptor target) throws LinuxException {
    // Where no file can share, each is refused, which must not cost an exception a file.
    long answer = Ioctl.CLONE.answer(target, source.number());
    if (answer >= 0) {
      return true;
    }
    int errno = Math.toIntExact(-answer);
    return switch (errno) {
      // Another file system, one that can't, a file that may not be shared, or no right to.
      case Errno.EOPNOTSUPP,
          Errno.EXDEV,
          Errno.EINVAL,
          Errno.ENOTTY,
          Errno.ETXTBSY,
          Errno.ENOSYS,
          Errno.EPERM ->
          false;
      default -> throw Ioctl.CLONE.failure(errno);
    };
  }

  static void allocate(Descriptor file, long offset, long length) throws LinuxException {
    Syscalls.run(SystemCall.FALLOCATE, file.number(), 0, offset, length, 0);
  }

  static void punchHole(Descriptor file, long offset, long length) throws LinuxException {
    Syscalls.run(SystemCall.FALLOCATE, file.number(), PUNCH_HOLE | KEEP_SIZE, offset, length, 0);
  }

  static void zeroRange(Descriptor file, long offset, long length) throws LinuxException {
    Syscalls.run(SystemCall.FALLOCATE, file.number(), ZERO_RANGE | KEEP_SIZE, offset, length, 0);
  }

  static void sync(Descriptor file) throws LinuxException {
    Syscalls.run(SystemCall.FSYNC, file.number(), 0, 0);
  }

  static void syncData(Descriptor file) throws LinuxException {
    Syscalls.run(SystemCall.FDATASYNC, file.number(), 0, 0);
  }

  static void syncFileSystem(Descriptor file) throws LinuxException {
    Syscalls.run(SystemCall.SYNCFS, file.number(), 0, 0);
  }

  static boolean tryLock(Descriptor file) throws LinuxException {
    try {
      Syscalls.run(SystemCall.FLOCK, file.number(), LOCK_EXCLUSIVE_AT_ONCE, 0);
      return true;
    } catch (LinuxException e) {
      if (e.is(Errno.EAGAIN)) {
        return false;
      }
      throw e;
    }
  }

  static void unlock(Descriptor file) throws LinuxException {
    Syscalls.run(SystemCall.FLOCK, file.number(), UNLOCK, 0);
  }
}
