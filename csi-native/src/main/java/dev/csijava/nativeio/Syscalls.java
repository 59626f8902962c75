package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Makes system calls through the C library's {@code syscall}, which takes every call by its number,
 * so that a C library without a wrapper for a new one is no hindrance.
 *
 * <p>A thread that is in a call is in the kernel's hands: no interrupt ends it. Platform threads
 * only; on a virtual thread the call holds its carrier.
 */
final class Syscalls {
  private static final long ERRNO_OFFSET =
      Linker.Option.captureStateLayout().byteOffset(MemoryLayout.PathElement.groupElement("errno"));

  private static final MethodHandle SYSCALL = link();

  /** Where the error number of a call is put: memory that each thread takes once. */
  private static final ThreadLocal<MemorySegment> STATE =
      ThreadLocal.withInitial(() -> Arena.ofAuto().allocate(Linker.Option.captureStateLayout()));

  /** The empty name, by which a call means the descriptor itself. */
  private static final MemorySegment EMPTY = Arena.global().allocate(1);

  private Syscalls() {}

  @SuppressWarnings("restricted")
  private static MethodHandle link() {
    Linker linker = Linker.nativeLinker();
    return linker.downcallHandle(
        linker.defaultLookup().find("syscall").orElseThrow(),
        FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
        Linker.Option.firstVariadicArg(1),
        Linker.Option.captureCallState("errno"));
  }

  /** Makes a call whose answer says nothing but success. */
  static void run(SystemCall call, long a, long b, long c, long d, long e) throws LinuxException {
    long _ = call(call, a, b, c, d, e);
  }

  static void run(SystemCall call, long a, long b, long c) throws LinuxException {
    long _ = call(call, a, b, c, 0, 0);
  }

  static long call(SystemCall call, long a, long b, long c) throws LinuxException {
    return call(call, a, b, c, 0, 0);
  }

  /**
   * Makes the call, again if a signal came between.
   *
   * @return what it answered, never negative
   */
  static long call(SystemCall call, long a, long b, long c, long d, long e) throws LinuxException {
    long answer = answer(call, a, b, c, d, e);
    if (answer < 0) {
      throw new LinuxException(call, Math.toIntExact(-answer));
    }
    return answer;
  }

  /**
   * The same where an error is an answer like others, so that none of it costs an exception.
   * Interrupted by a signal, a close has closed all the same: made again, it could close what
   * another thread has opened by that number meanwhile.
   *
   * @return what it answered, or its error number below 0
   */
  static long answer(SystemCall call, long a, long b, long c, long d, long e) {
    MemorySegment state = STATE.get();
    while (true) {
      long answer = invoke(state, call.number(Architecture.running()), a, b, c, d, e);
      if (answer >= 0) {
        return answer;
      }
      int errno = state.get(JAVA_INT, ERRNO_OFFSET);
      if (errno != Errno.EINTR || !call.isRepeatable()) {
        return -errno;
      }
    }
  }

  /** The address of the empty name. */
  static long emptyName() {
    return EMPTY.address();
  }

  private static long invoke(
      MemorySegment state, long number, long a, long b, long c, long d, long e) {
    try {
      return (long) SYSCALL.invokeExact(state, number, a, b, c, d, e, 0L);
    } catch (RuntimeException | Error thrown) {
      throw thrown;
    } catch (Throwable thrown) {
      throw new IllegalStateException("a call of a C function throws nothing", thrown);
    }
  }

  /** A name as C has it: its bytes and a NUL. */
  static MemorySegment name(Arena arena, byte[] bytes) {
    MemorySegment name = arena.allocate(bytes.length + 1L);
    MemorySegment.copy(bytes, 0, name, JAVA_BYTE, 0, bytes.length);
    return name;
  }
}
