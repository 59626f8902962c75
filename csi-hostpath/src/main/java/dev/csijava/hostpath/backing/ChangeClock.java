package dev.csijava.hostpath.backing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The clock that a file system stamps changes with. It is coarse, some milliseconds or a second,
 * and of a file system elsewhere it is not ours; so it is read by changing something.
 */
final class ChangeClock {
  private static final Duration PAUSE = Duration.ofMillis(2);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration TOLERANCE = Duration.ofMillis(20);

  private final Path folder;
  private final InstantSource wall;
  private final LongSupplier nanos;

  /**
   * @param folder on the file system, whose own time of modification does not matter
   * @param wall the time of this node, which may be set
   * @param nanos a time that is never set
   */
  ChangeClock(Path folder, InstantSource wall, LongSupplier nanos) {
    this.folder = folder;
    this.wall = wall;
    this.nanos = nanos;
  }

  /**
   * A moment.
   *
   * @param stamp what changes have at the earliest that come after it
   */
  record Moment(Instant stamp, Instant wall, long nanos) {}

  /**
   * A new moment: changes that were made before this call have an earlier stamp. Waits until the
   * clock ticks.
   */
  Moment next() throws IOException {
    Instant before = stamp();
    long end = System.nanoTime() + PATIENCE.toNanos();
    Instant now = stamp();
    while (!now.isAfter(before)) {
      if (System.nanoTime() > end) {
        throw new IOException("the clock of the file system stands still");
      }
      pause();
      now = stamp();
    }
    return new Moment(now, wall.instant(), nanos.getAsLong());
  }

  private Instant stamp() throws IOException {
    Files.setLastModifiedTime(folder, FileTime.from(wall.instant()));
    return changed(folder);
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(PAUSE.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** When a file or directory was changed last. */
  static Instant changed(Path file) throws IOException {
    FileTime time = (FileTime) Files.getAttribute(file, "unix:ctime", LinkOption.NOFOLLOW_LINKS);
    return time.toInstant();
  }

  /** Whether the clock was set back since a moment, so that later changes may look older. */
  boolean wasSetBackSince(Moment moment) {
    Duration passed = Duration.ofNanos(nanos.getAsLong() - moment.nanos());
    return Duration.between(moment.wall(), wall.instant()).plus(TOLERANCE).compareTo(passed) < 0;
  }
}
