package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.RawPaths;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A name in a directory that is held open, so that nobody can swap what lies further up between our
 * look and our call. Links further up are followed, once; the name itself never is. What is mounted
 * at the name is not held: an open descriptor would keep it busy.
 */
final class Place implements AutoCloseable {
  private static final long WITHOUT_CROSSING_MOUNTS = 0x01;

  private static final long WITHOUT_LINKS = 0x04;

  /** The given path; the kernel's own name too, if no link is on the way. */
  private final byte[] path;

  private final boolean throughLinks;
  private final Descriptor parent;
  private final byte[] name;

  private Place(byte[] path, boolean throughLinks, Descriptor parent, byte[] name) {
    this.path = path;
    this.throughLinks = throughLinks;
    this.parent = parent;
    this.name = name;
  }

  /**
   * Opens the directory that the path lies in.
   *
   * @return null if there is none, so that nothing can be at the path
   * @throws CsiException INVALID_ARGUMENT if the path is not absolute and normalised or is the
   *     root; UNAVAILABLE if the directory can't be opened
   */
  static @Nullable Place find(Path path) {
    Path parent = requireUsable(path);
    byte[] whole = RawPaths.bytes(path);
    int from = whole.length;
    while (whole[from - 1] != '/') {
      from--;
    }
    byte[] name = Arrays.copyOfRange(whole, from, whole.length);
    byte[] directory = from == 1 ? new byte[] {'/'} : Arrays.copyOf(whole, from - 1);
    int flags = Descriptor.PATH | Architecture.running().directory();
    // Most paths have no link in them. Then there is no need to ask what their real name is.
    long answer = Descriptor.answerToOpen(directory, flags, WITHOUT_LINKS);
    if (answer >= 0) {
      return new Place(whole, false, new Descriptor(answer), name);
    }
    try {
      return new Place(whole, true, Descriptor.open(parent, flags), name);
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT, Errno.ENOTDIR)) {
        return null;
      }
      throw CsiException.unavailable("the parent directory of the path can't be read", e);
    }
  }

  /**
   * The directory that the path lies in.
   *
   * @throws CsiException INVALID_ARGUMENT if the path is not absolute and normalised or is the root
   */
  static Path requireUsable(Path path) {
    Path parent = path.getParent();
    if (!path.isAbsolute() || !path.equals(path.normalize()) || parent == null) {
      throw CsiException.invalidArgument(
          "a path to mount at must be absolute, without . and .., and not the root directory");
    }
    return parent;
  }

  /** Opens what is at the name, a link itself, the root of a mount if one is there. */
  Descriptor open() throws LinuxException {
    return parent.openEntry(name, Descriptor.PATH | Architecture.running().noFollow());
  }

  /**
   * What is at the name: a link itself, the root of the topmost mount if one is there.
   *
   * @return null if nothing is
   * @throws LinuxException also where what is mounted is broken: see {@link #isMountPoint}
   */
  @Nullable FileStatus look(int kindOfId) throws LinuxException {
    return FileStatus.at(parent, name, kindOfId);
  }

  /**
   * Opens what is at the name, a link itself, if nothing is mounted there.
   *
   * @return null if something is
   */
  @Nullable Descriptor openUncovered() throws LinuxException {
    long answer =
        parent.answerToOpenEntry(
            name, Descriptor.PATH | Architecture.running().noFollow(), 0, WITHOUT_CROSSING_MOUNTS);
    if (answer >= 0) {
      return new Descriptor(answer);
    }
    if (answer == -Errno.EXDEV) {
      return null;
    }
    throw new LinuxException(SystemCall.OPENAT2, Math.toIntExact(-answer));
  }

  /** Whether something is mounted at the name; does not touch it. */
  boolean isMountPoint() throws LinuxException {
    try {
      parent
          .openEntry(
              name, Descriptor.PATH | Architecture.running().noFollow(), WITHOUT_CROSSING_MOUNTS)
          .close();
      return false;
    } catch (LinuxException e) {
      if (e.is(Errno.EXDEV)) {
        return true;
      }
      if (e.is(Errno.ENOENT, Errno.ENAMETOOLONG)) {
        return false;
      }
      throw e;
    }
  }

  /** For the one call that takes no descriptor: the name as seen from the open directory. */
  byte[] pathByDescriptor() {
    byte[] start = ("/proc/self/fd/" + parent.number() + "/").getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = Arrays.copyOf(start, start.length + name.length);
    System.arraycopy(name, 0, whole, start.length, name.length);
    return whole;
  }

  /** The directory that the name is in. */
  Descriptor parent() {
    return parent;
  }

  /** The path as the kernel names it in its table; the given one where that can't be told. */
  byte[] realPath() {
    if (!throughLinks) {
      return path;
    }
    byte[] directory = parent.realPath();
    return directory.length == 0 || directory[0] != '/' ? path : join(directory, name);
  }

  static byte[] join(byte[] directory, byte[] name) {
    boolean root = directory.length == 1;
    byte[] whole = Arrays.copyOf(directory, directory.length + name.length + (root ? 0 : 1));
    whole[whole.length - name.length - 1] = '/';
    System.arraycopy(name, 0, whole, whole.length - name.length, name.length);
    return whole;
  }

  @Override
  public void close() {
    parent.close();
  }
}
