package dev.csijava.hostpath.backing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangeClockTest {
  @TempDir Path folder;

  private final AtomicReference<Instant> wall = new AtomicReference<>(Instant.now());
  private final AtomicLong nanos = new AtomicLong();

  private ChangeClock clock() {
    return new ChangeClock(folder, wall::get, nanos::get);
  }

  private void pass(Duration real, Duration shown) {
    nanos.addAndGet(real.toNanos());
    wall.updateAndGet(before -> before.plus(shown));
  }

  @Test
  void whatWasChangedBeforeIsOlderAndWhatIsChangedAfterIsNot() throws IOException {
    Path file = folder.resolve("file");
    for (int i = 0; i < 20; i++) {
      Files.writeString(file, "before");
      ChangeClock.Moment moment = clock().next();
      assertThat(ChangeClock.changed(file)).isBefore(moment.stamp());
      Files.writeString(file, "after");
      assertThat(ChangeClock.changed(file)).isAfterOrEqualTo(moment.stamp());
    }
  }

  @Test
  void aClockThatIsSetBackIsNoWitness() throws IOException {
    ChangeClock clock = clock();
    ChangeClock.Moment moment = clock.next();
    pass(Duration.ofMinutes(10), Duration.ofMinutes(10).minusMillis(5));
    assertThat(clock.wasSetBackSince(moment)).isFalse();
    pass(Duration.ofSeconds(1), Duration.ofMinutes(1));
    assertThat(clock.wasSetBackSince(moment)).as("set forward").isFalse();
    pass(Duration.ofSeconds(1), Duration.ofMinutes(-2));
    assertThat(clock.wasSetBackSince(moment)).as("set back").isTrue();
  }
}
