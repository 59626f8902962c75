package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Lists the numbers of all mounts of this namespace. Linux 6.8. */
final class MountNumbers {
  private static final int AT_ONCE = 512;
  private static final int REQUEST_BYTES = 24;
  private static final long OF_THE_ROOT = -1;

  private MountNumbers() {}

  /** In ascending order; empty where the kernel does not tell. */
  static long[] all() {
    long[] numbers = new long[AT_ONCE];
    int count = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
      MemorySegment answer = arena.allocate(JAVA_LONG, AT_ONCE);
      request.set(JAVA_INT, 0, REQUEST_BYTES);
      request.set(JAVA_LONG, 8, OF_THE_ROOT);
      while (true) {
        request.set(JAVA_LONG, 16, count == 0 ? 0 : numbers[count - 1]);
        int more =
            Math.toIntExact(
                Syscalls.answer(
                    SystemCall.LISTMOUNT, request.address(), answer.address(), AT_ONCE, 0, 0));
        if (more < 0) {
          return new long[0];
        }
        if (count + more > numbers.length) {
          numbers = Arrays.copyOf(numbers, 2 * (count + more));
        }
        MemorySegment.copy(answer, JAVA_LONG, 0, numbers, count, more);
        count += more;
        if (more < AT_ONCE) {
          return Arrays.copyOf(numbers, count);
        }
      }
    }
  }
}
