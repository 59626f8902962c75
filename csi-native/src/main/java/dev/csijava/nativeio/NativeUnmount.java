package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountHolders;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.RawPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Unmounts until nothing is mounted at the path. Never lazy, never forced. A file system whose
 * server may be gone is left to the programs, which can be killed.
 */
final class NativeUnmount {
  /**
   * Whoever looks at a mount at this moment keeps it busy for some microseconds, another unmount of
   * the same path included, so the kernel's "busy" counts only when it stays.
   */
  private static final int TRIES_WHILE_BUSY = 7;

  /** A kernel, or a filter of system calls before it, that claims what it does not do. */
  private static final int TRIES_WHILE_CLAIMED = 3;

  private static final long FIRST_PAUSE_NANOS = 500_000;

  private final MountKernel kernel;
  private final MountReader reader;
  private final Mounter programs;

  NativeUnmount(MountKernel kernel, MountReader reader, Mounter programs) {
    this.kernel = kernel;
    this.reader = reader;
    this.programs = programs;
  }

  private enum Kind {
    NOTHING,
    LOCAL,
    OTHER
  }

  /**
   * What is on top.
   *
   * @param id the mount's number, if it can be told
   */
  private record Top(Kind kind, long id) {
    static final Top NOTHING = new Top(Kind.NOTHING, 0);
  }

  /** Leaves nothing at the path, as {@link Mounter#unmount} promises. */
  void all(Path target) {
    try (Place place = Place.find(target)) {
      Top top = top(place);
      int unchanged = 0;
      while (place != null && top.kind() != Kind.NOTHING) {
        if (top.kind() == Kind.OTHER) {
          programs.unmount(target);
          return;
        }
        one(place);
        Top next = top(place);
        unchanged = next.equals(top) ? unchanged + 1 : 0;
        if (unchanged == TRIES_WHILE_CLAIMED) {
          throw CsiException.internal(
              "the kernel reported success, but the mount is still there", null);
        }
        top = next;
      }
      // Nothing to be seen is not yet nothing mounted.
      reader.requireNothingHidden(target, place);
    } catch (LinuxException e) {
      if (e.refused()) {
        programs.unmount(target);
        return;
      }
      throw CsiException.internal("the mount at the path can't be unmounted: " + e.getMessage(), e);
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read; is /proc mounted?", e);
    }
  }

  /** Takes the topmost mount away; that somebody else did so is as good. */
  void one(Place place) throws LinuxException {
    long pause = FIRST_PAUSE_NANOS;
    for (int i = 1; ; i++) {
      LinuxException failed;
      try {
        kernel.unmount(place);
        return;
      } catch (LinuxException e) {
        failed = e;
      }
      if (!place.isMountPoint()) {
        return;
      }
      if (!failed.is(Errno.EBUSY)) {
        throw failed;
      }
      if (i == TRIES_WHILE_BUSY) {
        throw CsiException.failedPrecondition(sentence(place));
      }
      LockSupport.parkNanos(pause);
      pause *= 2;
    }
  }

  private static String sentence(Place place) {
    try {
      return MountHolders.system().sentence(RawPaths.of(place.realPath()), MountTable.read());
    } catch (IOException e) {
      return "the mount is in use";
    }
  }

  private Top top(@Nullable Place place) throws IOException {
    if (place == null) {
      return Top.NOTHING;
    }
    FileStatus status;
    try {
      status = place.look(reader.kindOfId());
    } catch (LinuxException e) {
      return place.isMountPoint() ? new Top(Kind.OTHER, 0) : Top.NOTHING;
    }
    if (status == null || !status.mountRoot()) {
      return Top.NOTHING;
    }
    // Gone meanwhile: the next look will tell.
    boolean local = reader.facts(status.mountId()).map(MountFacts::local).orElse(true);
    return new Top(local ? Kind.LOCAL : Kind.OTHER, status.mountId());
  }
}
