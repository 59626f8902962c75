package dev.csijava.hostpath.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.hostpath.state.Record;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class RecordIndexTest {
  private static final int ROUNDS = 5_000;

  private final RecordIndex index = new RecordIndex();
  private final AtomicInteger round = new AtomicInteger();

  private static Record old(int round) {
    return Record.newBuilder().setId("old-" + round).setName("one").build();
  }

  private static Record next(int round) {
    return Record.newBuilder().setId("new-" + round).setName("one").build();
  }

  /** A create that found the name free must not fail after all its work. */
  @Test
  @Timeout(60)
  void aNameThatIsSeenFreeCanBeTakenWhileItsHolderGoes() throws Exception {
    Thread remover = new Thread(this::removeEach, "removes");
    remover.start();
    int refused = 0;
    for (int i = 1; i <= ROUNDS; i++) {
      assertThat(index.add(old(i))).isTrue();
      round.set(i);
      while (index.byName("one").isPresent()) {
        Thread.onSpinWait();
      }
      refused += index.add(next(i)) ? 0 : 1;
      awaitRound(-i);
      index.remove(next(i));
    }
    remover.join();
    assertThat(refused).isZero();
    assertThat(index.size()).isZero();
  }

  private void removeEach() {
    for (int i = 1; i <= ROUNDS; i++) {
      awaitRound(i);
      index.remove(old(i));
      round.set(-i);
    }
  }

  private void awaitRound(int wanted) {
    while (round.get() != wanted) {
      Thread.onSpinWait();
    }
  }
}
