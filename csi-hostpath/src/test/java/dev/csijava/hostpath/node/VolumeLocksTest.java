package dev.csijava.hostpath.node;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class VolumeLocksTest {
  private static final Duration LONG = Duration.ofMinutes(1);

  @Test
  @DisplayName("K15: a call that hangs holds up no other volume, however many there are")
  void aVolumeHoldsUpNoOther() {
    VolumeLocks locks = new VolumeLocks(LONG);
    List<VolumeLocks.Held> held = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      String volume = "vol-" + i;
      held.add(
          CompletableFuture.supplyAsync(() -> locks.take(volume))
              .orTimeout(30, TimeUnit.SECONDS)
              .join());
    }
    assertThat(locks.size()).isEqualTo(1000);
    held.forEach(VolumeLocks.Held::close);
    assertThat(locks.size()).isZero();
  }

  @Test
  @DisplayName("K15: a second call of a volume waits, but not for ever")
  void aSecondCallOfAVolumeIsAbortedAfterAWhile() {
    VolumeLocks locks = new VolumeLocks(Duration.ofMillis(20));
    try (VolumeLocks.Held _ = locks.take("vol")) {
      assertFails(Status.Code.ABORTED, () -> locks.take("vol"));
    }
    locks.take("vol").close();
    assertThat(locks.size()).isZero();
  }

  @Test
  void aSecondCallOfAVolumeGoesOnWhenTheFirstHasEnded() {
    VolumeLocks locks = new VolumeLocks(LONG);
    VolumeLocks.Held first = locks.take("vol");
    CompletableFuture<VolumeLocks.Held> second =
        CompletableFuture.supplyAsync(() -> locks.take("vol"));
    assertThat(second).isNotDone();
    first.close();
    second.orTimeout(30, TimeUnit.SECONDS).join().close();
    assertThat(locks.size()).isZero();
  }
}
