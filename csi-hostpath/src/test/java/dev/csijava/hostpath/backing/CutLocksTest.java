package dev.csijava.hostpath.backing;

import static dev.csijava.hostpath.testing.Failures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class CutLocksTest {
  private static final Path ONE = Path.of("/one");

  private final CutLocks locks = new CutLocks(Duration.ofMillis(50));

  @Test
  void copiesGoSideBySideAndKeepChangesAway() {
    CutHold first = locks.forCopy(ONE);
    CutHold second = locks.forCopy(ONE);
    assertFails(Status.Code.ABORTED, () -> locks.forChange(ONE));
    first.close();
    first.close();
    assertFails(Status.Code.ABORTED, () -> locks.forChange(ONE));
    locks.forChange(Path.of("/two")).close();
    second.close();
    locks.forChange(ONE).close();
    assertThat(locks.size()).isZero();
  }

  @Test
  void aChangeKeepsCopiesAndOtherChangesAway() {
    CutHold change = locks.forChange(ONE);
    assertFails(Status.Code.ABORTED, () -> locks.forCopy(ONE));
    assertFails(Status.Code.ABORTED, () -> locks.forChange(ONE));
    change.close();
    locks.forCopy(ONE).close();
    assertThat(locks.size()).isZero();
  }

  @Test
  void whoeverWaitsGoesOnAsSoonAsItCan() {
    CutLocks patient = new CutLocks(Duration.ofMinutes(1));
    CutHold copy = patient.forCopy(ONE);
    CompletableFuture<CutHold> waiting =
        CompletableFuture.supplyAsync(() -> patient.forChange(ONE));
    copy.close();
    waiting.join().close();
    assertThat(patient.size()).isZero();
  }
}
