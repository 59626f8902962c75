package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.mount.RawPaths;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** An open file descriptor of this process, closed in every child. One owner, one thread. */
final class Descriptor implements AutoCloseable {
  /** Only a place in the tree: nothing is read, nothing is asked of the file's own file system. */
  static final int PATH = 0x200000;

  static final int READ = 0;
  static final int READ_WRITE = 2;
  static final int NON_BLOCKING = 0x800;

  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final long CURRENT_DIRECTORY = -100;

  /** struct open_how: flags, mode, resolve. */
  private static final long OPEN_HOW_BYTES = 24;

  private final int number;
  private boolean open = true;

  Descriptor(long number) {
    this.number = Math.toIntExact(number);
  }

  /** Opens an absolute path; links are followed unless the flags say otherwise. */
  static Descriptor open(Path path, int flags) throws LinuxException {
    return openAt(CURRENT_DIRECTORY, RawPaths.bytes(path), flags);
  }

  /** Opens what has this name in this directory. */
  Descriptor openEntry(byte[] name, int flags) throws LinuxException {
    return openAt(number, name, flags);
  }

  /** The same, with the kernel's restrictions on how the name may be resolved. */
  Descriptor openEntry(byte[] name, int flags, long resolve) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(OPEN_HOW_BYTES, Long.BYTES);
      how.set(JAVA_LONG, 0, flags | CLOSE_ON_EXEC);
      how.set(JAVA_LONG, 16, resolve);
      return new Descriptor(
          Syscalls.call(
              SystemCall.OPENAT2,
              number,
              Syscalls.name(arena, name).address(),
              how.address(),
              OPEN_HOW_BYTES,
              0));
    }
  }

  private static Descriptor openAt(long directory, byte[] name, int flags) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      return new Descriptor(
          Syscalls.call(
              SystemCall.OPENAT,
              directory,
              Syscalls.name(arena, name).address(),
              flags | CLOSE_ON_EXEC));
    }
  }

  int number() {
    return number;
  }

  @Override
  public void close() {
    if (!open) {
      return;
    }
    open = false;
    try {
      long _ = Syscalls.call(SystemCall.CLOSE, number, 0, 0);
    } catch (LinuxException e) {
      // Linux has given the number back whatever it answers; it must not be closed twice.
    }
  }
}
