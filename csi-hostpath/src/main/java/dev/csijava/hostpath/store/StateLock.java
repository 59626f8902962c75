package dev.csijava.hostpath.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Keeps a second process away from a state directory. The kernel lets go of it when we die. */
final class StateLock implements AutoCloseable {
  static final String NAME = "lock";

  private final FileChannel channel;

  private StateLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * @throws StateInUseException if another process, or this one, has the directory
   */
  static StateLock take(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by this very process: the same answer as for any other holder.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new StateInUseException(root);
    }
    return new StateLock(channel);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
