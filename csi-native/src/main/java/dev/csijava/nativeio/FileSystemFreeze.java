package dev.csijava.nativeio;

import java.nio.file.Path;

/**
 * Stops and lets go on all writing to a mounted file system, for the moment of a snapshot. What was
 * written before is on disk and consistent while it is frozen. A freeze outlives the process that
 * made it, so whoever freezes also thaws at start-up (rule K12).
 *
 * <p>Needs CAP_SYS_ADMIN. Safe for use by several threads; freezing blocks until all has been
 * written.
 *
 * @since 0.1.0
 */
public final class FileSystemFreeze {
  private FileSystemFreeze() {}

  /**
   * Freezes the file system that this lies on.
   *
   * @param mountPoint an absolute path, a directory; a link at the end is not followed
   * @return false if it is frozen already
   * @throws LinuxException ENOENT; EOPNOTSUPP if the file system can't be frozen, as tmpfs; EIO
   * @since 0.1.0
   */
  public static boolean freeze(Path mountPoint) throws LinuxException {
    return change(Ioctl.FREEZE, mountPoint, Errno.EBUSY);
  }

  /**
   * Lets a frozen file system go on.
   *
   * @param mountPoint an absolute path, a directory; a link at the end is not followed
   * @return false if it was not frozen, which is no error
   * @throws LinuxException ENOENT; EIO
   * @since 0.1.0
   */
  public static boolean thaw(Path mountPoint) throws LinuxException {
    return change(Ioctl.THAW, mountPoint, Errno.EINVAL);
  }

  /**
   * Freezes the file system that an open directory lies on. While it is open, nobody can unmount
   * it, so that it can surely be thawed by {@link #thaw(OpenDirectory)}.
   *
   * @return false if it is frozen already
   * @throws LinuxException EOPNOTSUPP if the file system can't be frozen, as tmpfs; EPERM; EIO
   * @since 0.1.0
   */
  public static boolean freeze(OpenDirectory directory) throws LinuxException {
    return change(Ioctl.FREEZE, directory, Errno.EBUSY);
  }

  /**
   * Lets the frozen file system that an open directory lies on go on.
   *
   * @return false if it was not frozen, which is no error
   * @throws LinuxException EPERM; EIO
   * @since 0.1.0
   */
  public static boolean thaw(OpenDirectory directory) throws LinuxException {
    return change(Ioctl.THAW, directory, Errno.EINVAL);
  }

  private static boolean change(Ioctl request, Path mountPoint, int isSoAlready)
      throws LinuxException {
    try (OpenDirectory directory = OpenDirectory.at(mountPoint)) {
      return change(request, directory, isSoAlready);
    }
  }

  private static boolean change(Ioctl request, OpenDirectory directory, int isSoAlready)
      throws LinuxException {
    try {
      request.on(directory.descriptor(), 0);
      return true;
    } catch (LinuxException e) {
      if (e.is(isSoAlready)) {
        return false;
      }
      throw e;
    }
  }
}
