package dev.csijava.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Attributes;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProbeAnswersTest {
  private final CallContext call = new ServerCallContext(Rpc.PROBE, null, Attributes.EMPTY);

  @Test
  void aCheckThatGotNoThreadIsNotWaitedForByTheNextProbe() {
    AtomicBoolean noThreads = new AtomicBoolean(true);
    ProbeAnswers probe =
        new ProbeAnswers(
            () -> true,
            task -> {
              if (noThreads.get()) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              return new Thread(task);
            });
    assertThatThrownBy(() -> probe.answer(call)).isInstanceOf(OutOfMemoryError.class);
    noThreads.set(false);
    while (!probe.answer(call).getReady().getValue()) {
      assertThat(noThreads).as("a machine that stalls gets the answer before").isFalse();
    }
  }
}
