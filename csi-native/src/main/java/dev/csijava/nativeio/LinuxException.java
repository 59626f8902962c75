package dev.csijava.nativeio;

import java.io.IOException;

/**
 * A system call that failed; the message names the call and its error, as in {@code openat2
 * answered ELOOP}.
 *
 * @since 0.1.0
 */
public final class LinuxException extends IOException {
  private static final long serialVersionUID = 1;

  private final int errno;

  LinuxException(SystemCall call, int errno) {
    this(call.toString(), errno);
  }

  /** Of a call that stands for many: an ioctl, by the name of its request. */
  LinuxException(String call, int errno) {
    super(call + " answered " + Errno.name(errno));
    this.errno = errno;
  }

  /** With what the kernel said in words, if it said anything. */
  LinuxException(SystemCall call, int errno, String words) {
    super(call + " answered " + Errno.name(errno) + (words.isEmpty() ? "" : ": " + words));
    this.errno = errno;
  }

  /**
   * The kernel's number of the error, one of {@link Errno} or another.
   *
   * @since 0.1.0
   */
  public int errno() {
    return errno;
  }

  /**
   * Whether it is one of these errors.
   *
   * @since 0.1.0
   */
  public boolean is(int... any) {
    for (int one : any) {
      if (one == errno) {
        return true;
      }
    }
    return false;
  }

  /** Whether the kernel does not know the call or this process may not make it. */
  boolean refused() {
    return is(Errno.ENOSYS, Errno.EPERM);
  }
}
