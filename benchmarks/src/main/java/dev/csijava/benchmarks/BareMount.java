package dev.csijava.benchmarks;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;

/**
 * The system calls that no publication can do without: mkdir(2), a bind by mount(2), umount2(2),
 * rmdir(2). No look before or after. One thread.
 */
final class BareMount implements AutoCloseable {
  private static final long MS_BIND = 4096;
  private static final int MODE = 0750;

  private final Arena arena = Arena.ofShared();
  private final Linker linker = Linker.nativeLinker();
  private final MethodHandle mount;
  private final MethodHandle unmount;
  private final MethodHandle makeDirectory;
  private final MethodHandle removeDirectory;
  private final MemorySegment source;
  private final MemorySegment target;

  BareMount(Path source, Path target) {
    this.source = arena.allocateFrom(source.toString());
    this.target = arena.allocateFrom(target.toString());
    ValueLayout.OfInt number = ValueLayout.JAVA_INT;
    mount =
        call(
            "mount",
            FunctionDescriptor.of(
                number,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.ADDRESS,
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS));
    unmount = call("umount2", FunctionDescriptor.of(number, ValueLayout.ADDRESS, number));
    makeDirectory = call("mkdir", FunctionDescriptor.of(number, ValueLayout.ADDRESS, number));
    removeDirectory = call("rmdir", FunctionDescriptor.of(number, ValueLayout.ADDRESS));
  }

  @SuppressWarnings("restricted") // a benchmark of system calls
  private MethodHandle call(String name, FunctionDescriptor type) {
    return linker.downcallHandle(
        linker.defaultLookup().find(name).orElseThrow(() -> new IllegalStateException(name)), type);
  }

  /** Makes the target and binds. */
  void publish() {
    try {
      require((int) makeDirectory.invokeExact(target, MODE), "mkdir");
      require(
          (int) mount.invokeExact(source, target, MemorySegment.NULL, MS_BIND, MemorySegment.NULL),
          "mount");
    } catch (Throwable e) { // what a method handle may throw
      throw new IllegalStateException(e);
    }
  }

  /** Unmounts and removes the target. */
  void unpublish() {
    try {
      require((int) unmount.invokeExact(target, 0), "umount2");
      require((int) removeDirectory.invokeExact(target), "rmdir");
    } catch (Throwable e) { // what a method handle may throw
      throw new IllegalStateException(e);
    }
  }

  private static void require(int answer, String call) {
    if (answer != 0) {
      throw new IllegalStateException(call + " failed");
    }
  }

  @Override
  public void close() {
    arena.close();
  }
}
