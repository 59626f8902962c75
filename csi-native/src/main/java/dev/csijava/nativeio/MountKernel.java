package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The calls that change mounts. The seam at which tests let the kernel fail and lie. */
interface MountKernel {
  /**
   * A second mount of what the descriptor is open on, without mounts below, attached nowhere;
   * private and with these flags.
   */
  Descriptor cloneOf(Descriptor source, MountOptions options) throws LinuxException;

  /** A new mount of a file system, with its flags, attached nowhere. */
  Descriptor newMount(NewFileSystem wanted) throws LinuxException;

  /** Makes a mount private and sets these flags; others stay as they are. */
  void restrict(Descriptor mount, MountOptions options) throws LinuxException;

  /** Puts a mount that is attached nowhere on what the other descriptor is open on. */
  void attach(Descriptor mount, Descriptor target) throws LinuxException;

  /** Takes the topmost mount at the place away. */
  void unmount(Place place) throws LinuxException;

  /** The kernel itself. */
  static MountKernel system() {
    return new Calls();
  }

  /** By the calls of Linux 5.12 and newer. */
  final class Calls implements MountKernel {
    private static final long EMPTY_PATH = 0x1000;
    private static final long CLONE_CLOSE_ON_EXEC = 0x1 | 0x80000;
    private static final long BOTH_BY_DESCRIPTOR = 0x04 | 0x40;
    private static final long UMOUNT_NO_FOLLOW = 0x8;
    private static final long PRIVATE = 1 << 18;

    /** struct mount_attr: set, clear, propagation, user namespace. */
    private static final long MOUNT_ATTR_BYTES = 32;

    private Calls() {}

    /**
     * In one call where the kernel has it (6.15), which also is the first to repeat mounts in what
     * is attached nowhere: until a clone is private, one could be repeated in it.
     */
    @Override
    public Descriptor cloneOf(Descriptor source, MountOptions options) throws LinuxException {
      try (Arena arena = Arena.ofConfined()) {
        long clone =
            Syscalls.answer(
                SystemCall.OPEN_TREE_ATTR,
                source.number(),
                Syscalls.emptyName(),
                EMPTY_PATH | CLONE_CLOSE_ON_EXEC,
                attributes(arena, options).address(),
                MOUNT_ATTR_BYTES);
        // Whatever it answers but success: the two calls will say what is wrong, if it is no more
        // than that the system does not know or permit this one.
        return clone >= 0 ? new Descriptor(clone) : cloneInTwoCalls(source, options);
      }
    }

    static Descriptor cloneInTwoCalls(Descriptor source, MountOptions options)
        throws LinuxException {
      Descriptor clone = plainCloneOf(source);
      try {
        restrict(clone.number(), options);
        return clone;
      } catch (LinuxException e) {
        clone.close();
        throw e;
      }
    }

    /** Not private yet. */
    static Descriptor plainCloneOf(Descriptor source) throws LinuxException {
      return new Descriptor(
          Syscalls.call(
              SystemCall.OPEN_TREE,
              source.number(),
              Syscalls.emptyName(),
              EMPTY_PATH | CLONE_CLOSE_ON_EXEC));
    }

    @Override
    public Descriptor newMount(NewFileSystem wanted) throws LinuxException {
      return NewMountCalls.make(wanted);
    }

    @Override
    public void restrict(Descriptor mount, MountOptions options) throws LinuxException {
      restrict(mount.number(), options);
    }

    private static void restrict(long descriptor, MountOptions options) throws LinuxException {
      try (Arena arena = Arena.ofConfined()) {
        Syscalls.run(
            SystemCall.MOUNT_SETATTR,
            descriptor,
            Syscalls.emptyName(),
            EMPTY_PATH,
            attributes(arena, options).address(),
            MOUNT_ATTR_BYTES);
      }
    }

    private static MemorySegment attributes(Arena arena, MountOptions options) {
      long set = 0;
      long clear = 0;
      for (MountOptions.Flag flag : options.flags()) {
        set |= MountAttributes.bit(flag);
        if (flag == MountOptions.Flag.NOATIME) {
          clear |= MountAttributes.ACCESS_TIME_MASK;
        }
      }
      MemorySegment attributes = arena.allocate(MOUNT_ATTR_BYTES, Long.BYTES);
      attributes.set(ValueLayout.JAVA_LONG, 0, set);
      attributes.set(ValueLayout.JAVA_LONG, 8, clear);
      attributes.set(ValueLayout.JAVA_LONG, 16, PRIVATE);
      return attributes;
    }

    @Override
    public void attach(Descriptor mount, Descriptor target) throws LinuxException {
      attach(mount.number(), target.number());
    }

    private static void attach(long mount, long target) throws LinuxException {
      long empty = Syscalls.emptyName();
      Syscalls.run(SystemCall.MOVE_MOUNT, mount, empty, target, empty, BOTH_BY_DESCRIPTOR);
    }

    @Override
    public void unmount(Place place) throws LinuxException {
      unmount(place.pathByDescriptor());
    }

    private static void unmount(byte[] path) throws LinuxException {
      try (Arena arena = Arena.ofConfined()) {
        long _ =
            Syscalls.call(
                SystemCall.UMOUNT2, Syscalls.name(arena, path).address(), UMOUNT_NO_FOLLOW, 0);
      }
    }

    /**
     * Makes each call so that it can change nothing.
     *
     * @throws LinuxException of the first that the kernel does not know or does not permit
     */
    static void probe() throws LinuxException {
      expectBadArgument(
          () ->
              Syscalls.run(
                  SystemCall.OPEN_TREE,
                  -1,
                  Syscalls.emptyName(),
                  EMPTY_PATH | CLONE_CLOSE_ON_EXEC));
      expectBadArgument(() -> restrict(-1, MountOptions.NONE));
      expectBadArgument(() -> attach(-1, -1));
      expectBadArgument(() -> unmount(new byte[0]));
      expectBadArgument(() -> new Descriptor(-1).openEntry(new byte[] {'x'}, 0, 0).close());
    }

    private static void expectBadArgument(Probe probe) throws LinuxException {
      try {
        probe.run();
      } catch (LinuxException e) {
        if (e.refused() || e.is(Errno.EACCES)) {
          throw e;
        }
      }
    }

    @FunctionalInterface
    private interface Probe {
      void run() throws LinuxException;
    }
  }
}
