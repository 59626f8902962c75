package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Extended attributes. By the path below /proc, which leads to the open file itself, a link
 * included: the calls that take a descriptor refuse what is only a place.
 */
final class AttributeCalls {
  /** The kernel's own limit for a value and for all names together. */
  private static final int LARGEST_BYTES = 64 * 1024;

  private static final int FIRST_BYTES = 1024;

  private AttributeCalls() {}

  static List<String> names(Descriptor node) throws LinuxException {
    byte[] all;
    try {
      all = read(SystemCall.LISTXATTR, node, null);
    } catch (LinuxException e) {
      if (e.is(Errno.EOPNOTSUPP)) {
        return List.of();
      }
      throw e;
    }
    List<String> names = new ArrayList<>();
    int start = 0;
    for (int i = 0; i < all.length; i++) {
      if (all[i] == 0) {
        // Any byte may be in a name; this keeps each.
        names.add(new String(all, start, i - start, StandardCharsets.ISO_8859_1));
        start = i + 1;
      }
    }
    return List.copyOf(names);
  }

  static Optional<byte[]> get(Descriptor node, String name) throws LinuxException {
    try {
      return Optional.of(read(SystemCall.GETXATTR, node, name));
    } catch (LinuxException e) {
      if (e.is(Errno.ENODATA)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  private static byte[] read(SystemCall call, Descriptor node, @Nullable String name)
      throws LinuxException {
    for (int size = FIRST_BYTES; ; size = LARGEST_BYTES) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment room = arena.allocate(size);
        long path = Syscalls.name(arena, node.path()).address();
        long length =
            name == null
                ? Syscalls.call(call, path, room.address(), size)
                : Syscalls.call(call, path, bytes(arena, name), room.address(), size, 0);
        return room.asSlice(0, length).toArray(JAVA_BYTE);
      } catch (LinuxException e) {
        if (!e.is(Errno.ERANGE) || size == LARGEST_BYTES) {
          throw e;
        }
      }
    }
  }

  static void set(Descriptor node, String name, byte[] value) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment content = Syscalls.name(arena, value);
      Syscalls.run(
          SystemCall.SETXATTR,
          Syscalls.name(arena, node.path()).address(),
          bytes(arena, name),
          content.address(),
          value.length,
          0);
    }
  }

  static void remove(Descriptor node, String name) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      Syscalls.run(
          SystemCall.REMOVEXATTR,
          Syscalls.name(arena, node.path()).address(),
          bytes(arena, name),
          0);
    } catch (LinuxException e) {
      if (!e.is(Errno.ENODATA)) {
        throw e;
      }
    }
  }

  private static long bytes(Arena arena, String name) {
    return Syscalls.name(arena, name.getBytes(StandardCharsets.ISO_8859_1)).address();
  }
}
