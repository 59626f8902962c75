package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Makes a mount that is attached nowhere, by fsopen, fsconfig and fsmount. Not by mount(2): that
 * takes the target as a path, which may be swapped for a link between our look and the call, shows
 * the mount before it is private, takes all options as one text of a page at most, and says in a
 * number only what was wrong with them.
 */
final class NewMountCalls {
  private static final long CLOSE_ON_EXEC = 1;
  private static final long SET_FLAG = 0;
  private static final long SET_STRING = 1;
  private static final long CREATE = 6;
  private static final int MOST_MESSAGES = 8;
  private static final int MESSAGE_BYTES = 1024;

  private NewMountCalls() {}

  /** The mount has its flags; it is in no peer group, having no source. */
  static Descriptor make(NewFileSystem wanted) throws LinuxException {
    try (Arena arena = Arena.ofConfined();
        Descriptor context =
            new Descriptor(
                Syscalls.call(
                    SystemCall.FSOPEN, text(arena, wanted.type()).address(), CLOSE_ON_EXEC, 0))) {
      configure(wanted, context, SET_STRING, text(arena, "source"), text(arena, wanted.source()));
      for (NewFileSystem.Parameter parameter : wanted.parameters()) {
        configure(
            wanted,
            context,
            parameter.value().isPresent() ? SET_STRING : SET_FLAG,
            text(arena, parameter.name()),
            parameter.value().map(value -> text(arena, value)).orElse(null));
      }
      configure(wanted, context, CREATE, null, null);
      long mount =
          Syscalls.answer(
              SystemCall.FSMOUNT, context.number(), CLOSE_ON_EXEC, wanted.attributes(), 0, 0);
      require(SystemCall.FSMOUNT, mount, wanted, context);
      return new Descriptor(mount);
    }
  }

  private static void configure(
      NewFileSystem wanted,
      Descriptor context,
      long command,
      @Nullable MemorySegment name,
      @Nullable MemorySegment value)
      throws LinuxException {
    long answer =
        Syscalls.answer(
            SystemCall.FSCONFIG, context.number(), command, address(name), address(value), 0);
    require(SystemCall.FSCONFIG, answer, wanted, context);
  }

  private static void require(
      SystemCall call, long answer, NewFileSystem wanted, Descriptor context)
      throws LinuxException {
    if (answer < 0) {
      throw new LinuxException(call, Math.toIntExact(-answer), wanted.redact(words(context)));
    }
  }

  /** What the file system wrote about this attempt, without its mark of how grave it is. */
  private static String words(Descriptor context) {
    StringBuilder words = new StringBuilder();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment message = arena.allocate(MESSAGE_BYTES);
      for (int i = 0; i < MOST_MESSAGES; i++) {
        long length =
            Syscalls.answer(
                SystemCall.READ, context.number(), message.address(), MESSAGE_BYTES, 0, 0);
        if (length <= 0) {
          break;
        }
        byte[] bytes = message.asSlice(0, length).toArray(JAVA_BYTE);
        String line = new String(bytes, StandardCharsets.UTF_8).strip();
        words
            .append(words.isEmpty() ? "" : "; ")
            .append(line.length() > 2 && line.charAt(1) == ' ' ? line.substring(2) : line);
      }
    }
    return words.toString();
  }

  private static long address(@Nullable MemorySegment segment) {
    return segment == null ? 0 : segment.address();
  }

  private static MemorySegment text(Arena arena, String text) {
    return Syscalls.name(arena, text.getBytes(StandardCharsets.UTF_8));
  }
}
