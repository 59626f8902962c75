package dev.csijava.nativeio;

import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.RawPaths;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds mounts at a path that can't be reached by it, since something was mounted over a directory
 * further up. To look for them in the table would make each unmount as dear as the node has mounts.
 * But a mount point is a directory or file that exists: where a mount further up covers nothing of
 * the path's name, there is no mount point under it. Only where it does, the table is read.
 */
final class HiddenMounts {
  private static final int MOST_LEVELS = 16;

  /** As {@link MountReader#requireNothingHidden}. */
  void requireNone(Path target, @Nullable Place place) throws IOException {
    byte[] real = place == null ? RawPaths.bytes(target) : place.realPath();
    if (!(place == null ? isProvenAbove(target) : isProven(place.parent(), real))) {
      MountTable.read().requireNothingHidden(RawPaths.of(real));
    }
  }

  /** The directory of the path is missing: what counts is the nearest that is there. */
  private static boolean isProvenAbove(Path target) throws IOException {
    for (Path up = target.getParent(); up != null; up = up.getParent()) {
      try (Descriptor directory =
          Descriptor.open(up, Descriptor.PATH | Architecture.running().directory())) {
        byte[] real = directory.realPath();
        return real.length > 0
            && isProven(
                directory, RawPaths.bytes(RawPaths.of(real).resolve(up.relativize(target))));
      } catch (LinuxException e) {
        if (!e.is(Errno.ENOENT, Errno.ENOTDIR)) {
          return false;
        }
      }
    }
    return false;
  }

  /**
   * @param directory one that the path leads through, so that its mount is one of those which the
   *     way crosses
   */
  private static boolean isProven(Descriptor directory, byte[] path) throws IOException {
    BareMount root = BareMount.root();
    if (root == null) {
      return false;
    }
    long mount = FileStatus.of(directory, FileStatus.UNIQUE_ID).mountId();
    for (int level = 0; level < MOST_LEVELS; level++) {
      if (mount == root.mount()) {
        return true;
      }
      MountPoint point = StatmountReader.point(mount).orElse(null);
      if (point == null || !coversNothing(point, root, path)) {
        return false;
      }
      mount = point.parent();
    }
    return false;
  }

  /** Whether nothing of the path lies under the mount, in the mount that it lies on. */
  private static boolean coversNothing(MountPoint point, BareMount root, byte[] path)
      throws LinuxException {
    byte[] cover = point.path();
    if (path.length <= cover.length + 1
        || path[cover.length] != '/'
        || !Arrays.equals(cover, 0, cover.length, path, 0, cover.length)) {
      return false;
    }
    int end = cover.length + 1;
    while (end < path.length && path[end] != '/') {
      end++;
    }
    if (point.parent() == root.mount()) {
      return root.lacks(Arrays.copyOfRange(path, 1, end));
    }
    int slash = cover.length - 1;
    while (slash > 0 && cover[slash] != '/') {
      slash--;
    }
    Path base = RawPaths.of(slash == 0 ? new byte[] {'/'} : Arrays.copyOf(cover, slash));
    try (BareMount below = BareMount.of(base)) {
      // Another where the mount covers the whole of the one that it lies on.
      return below.mount() == point.parent()
          && below.lacks(Arrays.copyOfRange(path, slash + 1, end));
    } catch (LinuxException e) {
      return false;
    }
  }
}
