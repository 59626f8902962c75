package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks for one mount by its number, so that the other ten thousand cost nothing. Linux 6.8. */
final class StatmountReader implements MountReader {
  /** What to tell: file system, mount, root, mount point, type, options, source. */
  private static final long WANTED = 0x1 | 0x2 | 0x8 | 0x10 | 0x20 | 0x80 | 0x200;

  /** struct mnt_id_req in its first version. */
  private static final int REQUEST_BYTES = 24;

  private static final int FIRST_ANSWER_BYTES = 2048;
  private static final int LARGEST_ANSWER_BYTES = 1 << 20;

  @Override
  public int kindOfId() {
    return FileStatus.UNIQUE_ID;
  }

  /** Whether this kernel knows the call and lets this process make it. */
  static boolean works() {
    try (Arena arena = Arena.ofConfined()) {
      long _ = ask(0, arena.allocate(FIRST_ANSWER_BYTES, Long.BYTES));
      return true;
    } catch (LinuxException e) {
      return !e.refused() && !e.is(Errno.EACCES);
    }
  }

  @Override
  public Optional<Mounted> byId(long id) throws IOException {
    return answer(id).map(MountAnswer::mounted);
  }

  @Override
  public List<Mounted> stackUnder(long id) throws IOException {
    List<Mounted> stack = new ArrayList<>();
    MountAnswer at = answer(id).orElse(null);
    while (at != null) {
      stack.add(at.mounted());
      MountAnswer parent = at.parent() == at.mounted().id() ? null : answerOrNone(at.parent());
      boolean samePlace =
          parent != null && parent.mounted().mount().target().equals(at.mounted().mount().target());
      at = samePlace ? parent : null;
    }
    Collections.reverse(stack);
    return List.copyOf(stack);
  }

  /** In a chroot the mount beneath all others may not be shown. */
  private static @Nullable MountAnswer answerOrNone(long id) throws IOException {
    try {
      return answer(id).orElse(null);
    } catch (LinuxException e) {
      if (e.refused()) {
        return null;
      }
      throw e;
    }
  }

  private static Optional<MountAnswer> answer(long id) throws IOException {
    for (int size = FIRST_ANSWER_BYTES; ; size *= 4) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment answer = arena.allocate(size, Long.BYTES);
        long _ = ask(id, answer);
        return Optional.of(MountAnswer.of(answer));
      } catch (LinuxException e) {
        if (e.is(Errno.ENOENT)) {
          return Optional.empty();
        }
        if (!e.is(Errno.EOVERFLOW) || size >= LARGEST_ANSWER_BYTES) {
          throw e;
        }
      }
    }
  }

  private static long ask(long id, MemorySegment answer) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
      request.set(JAVA_INT, 0, REQUEST_BYTES);
      request.set(JAVA_LONG, 8, id);
      request.set(JAVA_LONG, 16, WANTED);
      return Syscalls.call(
          SystemCall.STATMOUNT, request.address(), answer.address(), answer.byteSize(), 0, 0);
    }
  }
}
