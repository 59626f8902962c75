package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Keeps the copies of an image apart from the steps that change it while nobody has it mounted:
 * check, new UUID, growth, format and the mount itself. The locks of the framework don't, so that a
 * copy that takes long holds up neither publish nor unpublish; and these here are not asked for
 * where the image is mounted already.
 *
 * <p>A copy holds up the first NodeStage of its source, for no longer than it takes.
 */
final class CutLocks {
  private static final int CHANGING = -1;

  private final Duration patience;
  private final Map<Path, Integer> users = new HashMap<>();

  /**
   * @param patience how long a call waits for another one
   */
  CutLocks(Duration patience) {
    this.patience = patience;
  }

  /**
   * For a copy; several of one file go side by side.
   *
   * @throws CsiException ABORTED if the file is being changed and that takes long
   */
  CutHold forCopy(Path file) {
    return take(file, false, "the volume is just being made ready to be mounted");
  }

  /**
   * For what changes the file.
   *
   * @throws CsiException ABORTED if the file is being copied or changed and that takes long
   */
  CutHold forChange(Path file) {
    return take(file, true, "a copy of the volume is being made, which it must not change under");
  }

  private synchronized CutHold take(Path file, boolean alone, String obstacle) {
    long end = System.nanoTime() + patience.toNanos();
    try {
      while (isInTheWay(users.getOrDefault(file, 0), alone)) {
        long left = Duration.ofNanos(end - System.nanoTime()).toMillis();
        if (left <= 0) {
          throw CsiException.aborted(obstacle + "; try again later");
        }
        wait(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CsiException.aborted(obstacle + ", and the driver ends");
    }
    if (alone) {
      users.put(file, CHANGING);
    } else {
      users.merge(file, 1, Integer::sum);
    }
    AtomicBoolean given = new AtomicBoolean();
    return () -> {
      if (!given.getAndSet(true)) {
        give(file);
      }
    };
  }

  private static boolean isInTheWay(int there, boolean alone) {
    return alone ? there != 0 : there == CHANGING;
  }

  private synchronized void give(Path file) {
    users.compute(file, (path, there) -> there == null || there <= 1 ? null : there - 1);
    notifyAll();
  }

  /** How many files somebody uses. */
  synchronized int size() {
    return users.size();
  }
}
