package dev.csijava.hostpath.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class CopyProgressTest {
  private final AtomicLong clock = new AtomicLong();
  private final List<String> said = new ArrayList<>();
  private final CopyProgress progress = new CopyProgress(Path.of("/data"), clock::get, said::add);

  @Test
  void aShortCopySaysNothing() {
    progress.entry();
    clock.addAndGet(Duration.ofSeconds(29).toNanos());
    progress.bytes(5L << 20);
    assertThat(said).isEmpty();
  }

  @Test
  void aLongOneSaysEveryHalfMinuteHowFarItIs() {
    for (int i = 0; i < 100; i++) {
      clock.addAndGet(Duration.ofSeconds(1).toNanos());
      progress.entry();
      progress.bytes(1L << 20);
    }
    assertThat(said)
        .containsExactly(
            "still copying /data: 30 entries and 29 MiB so far",
            "still copying /data: 60 entries and 59 MiB so far",
            "still copying /data: 90 entries and 89 MiB so far");
  }
}
