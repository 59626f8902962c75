package dev.csijava.nativeio;

import dev.csijava.core.mount.MountOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A directory of a mount as it is without anything mounted in it: what lies under a mount point can
 * be looked at there. It is a clone that is attached nowhere, which the kernel takes away when the
 * descriptor is closed.
 *
 * @param directory the clone's root
 * @param mount the number of the mount that was cloned, used once
 */
record BareMount(Descriptor directory, long mount) implements AutoCloseable {
  private static final long RESOLVE_NO_MOUNTS_NO_LINKS = 0x01 | 0x04;

  /**
   * That of the root mount, taken once and kept: making and closing one costs as much as a bind and
   * an unmount. It holds nothing up, since the root stays mounted as long as this process runs.
   */
  private static final class Root {
    private static final @Nullable BareMount BARE = make();

    private static @Nullable BareMount make() {
      try {
        return of(Path.of("/"));
      } catch (LinuxException e) {
        // In a user namespace, for example: what is covered there is not for us to see.
        return null;
      }
    }
  }

  /** That of the root mount of this process, not to be closed; null where none can be made. */
  static @Nullable BareMount root() {
    return Root.BARE;
  }

  /**
   * @param directory absolute
   */
  static BareMount of(Path directory) throws LinuxException {
    try (Descriptor open =
        Descriptor.open(directory, Descriptor.PATH | Architecture.running().directory())) {
      long mount = FileStatus.of(open, FileStatus.UNIQUE_ID).mountId();
      return new BareMount(MountKernel.system().cloneOf(open, MountOptions.NONE), mount);
    }
  }

  /**
   * Whether nothing has this name, a link on the way counting as nothing since no mount point is
   * below one.
   *
   * @param name relative, of one component or several
   */
  boolean lacks(byte[] name) {
    long answer = directory.answerToOpenEntry(name, Descriptor.PATH, 0, RESOLVE_NO_MOUNTS_NO_LINKS);
    if (answer >= 0) {
      new Descriptor(answer).close();
    }
    return answer == -Errno.ENOENT || answer == -Errno.ENOTDIR || answer == -Errno.ELOOP;
  }

  @Override
  public void close() {
    directory.close();
  }
}
