package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks for one mount by its number, so that the other ten thousand cost nothing. Linux 6.8; before
 * 6.13 the kernel does not tell the source of a mount in this way, and where everything is asked
 * for, the table is read besides.
 */
final class StatmountReader implements MountReader {
  private static final long BASIC = 0x1 | 0x2;
  private static final long POINT = 0x10;

  /** File system, mount, root, mount point, type. */
  private static final long SINCE_6_8 = BASIC | 0x8 | POINT | 0x20;

  /** Also options, the second half of the type, source. */
  private static final long EVERYTHING = SINCE_6_8 | 0x80 | 0x100 | 0x200;

  /** struct mnt_id_req in its first version. */
  private static final int REQUEST_BYTES = 24;

  private static final int FIRST_ANSWER_BYTES = 2048;
  private static final int LARGEST_ANSWER_BYTES = 1 << 20;

  private final HiddenMounts hidden = new HiddenMounts();
  private final long everything;

  StatmountReader() {
    this(EVERYTHING);
  }

  private StatmountReader(long everything) {
    this.everything = everything;
  }

  /** For tests: as if the kernel knew no more than the first that had the call. */
  static StatmountReader ofLinux68() {
    return new StatmountReader(SINCE_6_8);
  }

  @Override
  public int kindOfId() {
    return FileStatus.UNIQUE_ID;
  }

  /** Whether this kernel knows the call and lets this process make it. */
  static boolean works() {
    try (Arena arena = Arena.ofConfined()) {
      return usable(ask(0, BASIC, arena.allocate(FIRST_ANSWER_BYTES, Long.BYTES)));
    }
  }

  private static boolean usable(long answer) {
    return answer != -Errno.ENOSYS && answer != -Errno.EPERM && answer != -Errno.EACCES;
  }

  @Override
  public Optional<Mounted> byId(long id) throws IOException {
    MountAnswer answer = answer(id, everything, MountAnswer::of).orElse(null);
    return answer == null ? Optional.empty() : completed(List.of(answer)).stream().findFirst();
  }

  @Override
  public Optional<MountFacts> facts(long id) throws IOException {
    return answer(id, BASIC, MountFacts::of);
  }

  /** Where the mount is, and on which other. */
  static Optional<MountPoint> point(long id) throws IOException {
    return answer(id, BASIC | POINT, MountPoint::of);
  }

  @Override
  public void requireNothingHidden(Path target, @Nullable Place place) throws IOException {
    hidden.requireNone(target, place);
  }

  @Override
  public List<Mounted> stackUnder(long id) throws IOException {
    List<MountAnswer> stack = new ArrayList<>();
    MountAnswer at = answer(id, everything, MountAnswer::of).orElse(null);
    while (at != null) {
      stack.add(at);
      MountAnswer parent = at.parent() == at.mounted().id() ? null : answerOrNone(at.parent());
      boolean samePlace =
          parent != null && parent.mounted().mount().target().equals(at.mounted().mount().target());
      at = samePlace ? parent : null;
    }
    Collections.reverse(stack);
    return completed(stack);
  }

  /**
   * With what the kernel did not tell, from the table. A mount that is gone meanwhile is left out:
   * the table's number of it may be another's by now, while the number that was asked for is not.
   */
  private static List<Mounted> completed(List<MountAnswer> answers) throws IOException {
    if (answers.stream().allMatch(MountAnswer::whole)) {
      return answers.stream().map(MountAnswer::mounted).toList();
    }
    Map<Long, Mount> table = new HashMap<>();
    for (Mount mount : MountTable.read().all()) {
      table.put(mount.id(), mount);
    }
    List<Mounted> mounts = new ArrayList<>();
    for (MountAnswer answer : answers) {
      Mounted told = answer.mounted();
      if (isThere(told.id())) {
        // One that no table lists lies beneath the root of a chroot.
        Mount mount = table.getOrDefault(told.mount().id(), told.mount());
        mounts.add(new Mounted(told.id(), mount, told.shared()));
      }
    }
    return List.copyOf(mounts);
  }

  private static boolean isThere(long id) throws IOException {
    return answer(id, BASIC, MountFacts::of).isPresent();
  }

  /** In a chroot the mount beneath all others may not be shown. */
  private @Nullable MountAnswer answerOrNone(long id) throws IOException {
    try {
      return answer(id, everything, MountAnswer::of).orElse(null);
    } catch (LinuxException e) {
      if (e.refused()) {
        return null;
      }
      throw e;
    }
  }

  private static <T> Optional<T> answer(long id, long mask, Function<MemorySegment, T> parser)
      throws LinuxException {
    for (int size = FIRST_ANSWER_BYTES; ; size *= 4) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment answer = arena.allocate(size, Long.BYTES);
        int errno = Math.toIntExact(-ask(id, mask, answer));
        if (errno <= 0) {
          return Optional.of(parser.apply(answer));
        }
        if (errno == Errno.ENOENT) {
          return Optional.empty();
        }
        if (errno != Errno.EOVERFLOW || size >= LARGEST_ANSWER_BYTES) {
          throw new LinuxException(SystemCall.STATMOUNT, errno);
        }
      }
    }
  }

  /** As {@link Syscalls#answer}. */
  private static long ask(long id, long mask, MemorySegment answer) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment request = arena.allocate(REQUEST_BYTES, Long.BYTES);
      request.set(JAVA_INT, 0, REQUEST_BYTES);
      request.set(JAVA_LONG, 8, id);
      request.set(JAVA_LONG, 16, mask);
      return Syscalls.answer(
          SystemCall.STATMOUNT, request.address(), answer.address(), answer.byteSize(), 0, 0);
    }
  }
}
