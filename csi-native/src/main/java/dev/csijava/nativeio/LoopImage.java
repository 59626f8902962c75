package dev.csijava.nativeio;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/**
 * An image that is about to be attached, open and locked against other processes that do the same.
 * The lock is on a descriptor of its own: the kernel keeps the other one as long as the device
 * lasts.
 */
record LoopImage(Descriptor file, Descriptor lock, NodeStatus status) implements AutoCloseable {
  private static final int TRIES = 500;
  private static final long PAUSE_NANOS = 20_000_000;

  /**
   * @throws CsiException NOT_FOUND if there is none; FAILED_PRECONDITION if it is no regular file;
   *     UNAVAILABLE if somebody else keeps it locked
   */
  static LoopImage locked(Path image, boolean readOnly) throws LinuxException {
    Descriptor file = open(image, readOnly);
    try {
      NodeStatus status = NodeStatus.of(file);
      if (status.type() != NodeType.FILE) {
        throw CsiException.failedPrecondition("the image is no regular file");
      }
      Descriptor lock = file.reopen(Descriptor.READ);
      LoopImage opened = new LoopImage(file, lock, status);
      try {
        opened.awaitLock();
        return opened;
      } catch (LinuxException | RuntimeException e) {
        lock.close();
        throw e;
      }
    } catch (LinuxException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  private static Descriptor open(Path image, boolean readOnly) throws LinuxException {
    try {
      return Descriptor.open(
          image, (readOnly ? Descriptor.READ : Descriptor.READ_WRITE) | Descriptor.NON_BLOCKING);
    } catch (LinuxException e) {
      if (e.is(Errno.ENOENT, Errno.ENOTDIR)) {
        throw CsiException.notFound("there is no image at the path");
      }
      throw e;
    }
  }

  private void awaitLock() throws LinuxException {
    for (int i = 0; !DataCalls.tryLock(lock); i++) {
      if (i == TRIES) {
        throw CsiException.unavailable("another process keeps the image locked", null);
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  @Override
  public void close() {
    lock.close();
    file.close();
  }
}
