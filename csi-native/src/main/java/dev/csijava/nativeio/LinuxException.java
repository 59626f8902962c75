package dev.csijava.nativeio;

import java.io.IOException;

/** A system call that failed; the message names the call and its error. */
final class LinuxException extends IOException {
  private static final long serialVersionUID = 1;

  private final int errno;

  LinuxException(SystemCall call, int errno) {
    super(call + " answered " + Errno.name(errno));
    this.errno = errno;
  }

  int errno() {
    return errno;
  }

  boolean is(int... any) {
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
