package dev.csijava.hostpath.copy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says now and then how far a long copy is; a short one says nothing. One thread. */
final class CopyProgress {
  private static final Logger log = LoggerFactory.getLogger(CopyProgress.class);
  private static final long PAUSE_NANOS = Duration.ofSeconds(30).toNanos();
  private static final int MIB_SHIFT = 20;

  private final Path from;
  private final LongSupplier clock;
  private final Consumer<String> said;
  private long entries;
  private long bytes;
  private long last;

  CopyProgress(Path from, LongSupplier clock, Consumer<String> said) {
    this.from = from;
    this.clock = clock;
    this.said = said;
    this.last = clock.getAsLong();
  }

  static CopyProgress of(Path from) {
    return new CopyProgress(from, System::nanoTime, sentence -> log.info("{}", sentence));
  }

  void entry() {
    entries++;
    look();
  }

  void bytes(long copied) {
    bytes += copied;
    look();
  }

  private void look() {
    long now = clock.getAsLong();
    if (now - last < PAUSE_NANOS) {
      return;
    }
    last = now;
    said.accept(
        "still copying "
            + from
            + ": "
            + entries
            + " entries and "
            + (bytes >> MIB_SHIFT)
            + " MiB so far");
  }
}
