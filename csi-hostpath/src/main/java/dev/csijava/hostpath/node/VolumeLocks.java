package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * One lock a volume, so that a call that hangs holds up no other volume, and one of its own only
 * for a while (rule K15). Safe for use by several threads.
 */
final class VolumeLocks {
  private final Duration patience;
  private final Set<String> taken = new HashSet<>();

  /**
   * @param patience how long a call waits for another one
   */
  VolumeLocks(Duration patience) {
    this.patience = patience;
  }

  /** What a call holds until it is closed, once. */
  interface Held extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * Waits for the lock of a volume.
   *
   * @throws CsiException ABORTED if another call has it for too long
   */
  synchronized Held take(String volumeId) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (!taken.add(volumeId)) {
        long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0) {
          throw CsiException.aborted(
              "the volume is just being published at another target; try again later");
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.aborted(
          "the volume is just being published at another target, and the driver ends");
    }
    return () -> give(volumeId);
  }

  private synchronized void give(String volumeId) {
    taken.remove(volumeId);
    notifyAll();
  }

  /** How many volumes are locked. */
  synchronized int size() {
    return taken.size();
  }
}
