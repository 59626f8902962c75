package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.mount.RawPaths;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** An open file descriptor of this process, closed in every child. One owner, one thread. */
final class Descriptor implements AutoCloseable {
  /** Only a place in the tree: nothing is read, nothing is asked of the file's own file system. */
  static final int PATH = 0x200000;

  static final int READ = 0;
  static final int READ_WRITE = 2;
  static final int CREATE_NEW = 0x40 | 0x80;
  static final int NON_BLOCKING = 0x800;

  private static final int CLOSE_ON_EXEC = 0x80000;
  private static final long CURRENT_DIRECTORY = -100;
  private static final int MOST_PATH_BYTES = 4096;

  /** struct open_how: flags, mode, resolve. */
  private static final long OPEN_HOW_BYTES = 24;

  private final int number;
  private boolean open = true;

  Descriptor(long number) {
    this.number = Math.toIntExact(number);
  }

  /** Opens an absolute path; links are followed unless the flags say otherwise. */
  static Descriptor open(Path path, int flags) throws LinuxException {
    return openAt(CURRENT_DIRECTORY, RawPaths.bytes(path), flags, 0);
  }

  /** Opens what has this name in this directory. */
  Descriptor openEntry(byte[] name, int flags) throws LinuxException {
    return openAt(number, name, flags, 0);
  }

  /** The same, for a file that may be made: with these permission bits. */
  Descriptor openOrMakeEntry(byte[] name, int flags, int mode) throws LinuxException {
    return openAt(number, name, flags, mode);
  }

  /** The same, with the kernel's restrictions on how the name may be resolved. */
  Descriptor openEntry(byte[] name, int flags, long resolve) throws LinuxException {
    return openEntry(name, flags, 0, resolve);
  }

  /** The same, for a file that is made: with these permission bits. */
  Descriptor openEntry(byte[] name, int flags, int mode, long resolve) throws LinuxException {
    long answer = answerToOpenEntry(name, flags, mode, resolve);
    if (answer < 0) {
      throw new LinuxException(SystemCall.OPENAT2, Math.toIntExact(-answer));
    }
    return new Descriptor(answer);
  }

  /** The same where an error is an answer like others: the new number, or the error's below 0. */
  long answerToOpenEntry(byte[] name, int flags, int mode, long resolve) {
    return answerToOpen(number, name, flags, mode, resolve);
  }

  /** The same for an absolute path. */
  static long answerToOpen(byte[] path, int flags, long resolve) {
    return answerToOpen(CURRENT_DIRECTORY, path, flags, 0, resolve);
  }

  private static long answerToOpen(long directory, byte[] name, int flags, int mode, long resolve) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment how = arena.allocate(OPEN_HOW_BYTES, Long.BYTES);
      how.set(JAVA_LONG, 0, flags | CLOSE_ON_EXEC);
      how.set(JAVA_LONG, 8, mode);
      how.set(JAVA_LONG, 16, resolve);
      return Syscalls.answer(
          SystemCall.OPENAT2,
          directory,
          Syscalls.name(arena, name).address(),
          how.address(),
          OPEN_HOW_BYTES,
          0);
    }
  }

  private static Descriptor openAt(long directory, byte[] name, int flags, int mode)
      throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      return new Descriptor(
          Syscalls.call(
              SystemCall.OPENAT,
              directory,
              Syscalls.name(arena, name).address(),
              flags | CLOSE_ON_EXEC,
              mode,
              0));
    }
  }

  /** The file again, with rights of its own: what a place is open on, for example, for reading. */
  Descriptor reopen(int flags) throws LinuxException {
    return openAt(CURRENT_DIRECTORY, path(), flags, 0);
  }

  /** A path that leads to exactly this file, a link itself too; needs /proc. */
  byte[] path() {
    return ("/proc/self/fd/" + number).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** Where it is, as this process sees it; empty where the kernel does not say. Needs /proc. */
  byte[] realPath() {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment target = arena.allocate(MOST_PATH_BYTES);
      long length =
          Syscalls.answer(
              SystemCall.READLINKAT,
              CURRENT_DIRECTORY,
              Syscalls.name(arena, path()).address(),
              target.address(),
              MOST_PATH_BYTES,
              0);
      return length <= 0 || length == MOST_PATH_BYTES
          ? new byte[0]
          : target.asSlice(0, length).toArray(JAVA_BYTE);
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
