package dev.csijava.hostpath.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps a second process away from a state directory. The kernel lets go of it when we die. */
final class StateLock implements AutoCloseable {
  static final String NAME = "lock";

  /**
   * Held by this process. Its lock file must not even be opened a second time: to close it then
   * would let go of the lock, for the kernel keeps one for a file and a process.
   */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  private final Path root;
  private final FileChannel channel;

  private StateLock(Path root, FileChannel channel) {
    this.root = root;
    this.channel = channel;
  }

  /**
   * @param root without links
   * @throws StateInUseException if another process, or this one, has the directory
   */
  static StateLock take(Path root) throws IOException {
    if (!HELD.add(root)) {
      throw new StateInUseException(root);
    }
    boolean taken = false;
    try {
      StateLock lock = new StateLock(root, lock(root));
      taken = true;
      return lock;
    } finally {
      if (!taken) {
        HELD.remove(root);
      }
    }
  }

  private static FileChannel lock(Path root) throws IOException {
    FileChannel channel =
        FileChannel.open(root.resolve(NAME), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by this very process, under another path: the same answer as for any other holder.
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw new StateInUseException(root);
    }
    return channel;
  }

  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      try {
        channel.close();
      } finally {
        HELD.remove(root);
      }
    }
  }
}
