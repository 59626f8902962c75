package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What is said and done when the process is told to end; InterruptedCheckTest tells a real one. */
class StopHookTest {
  private final StringWriter text = new StringWriter();
  private final List<String> reasons = new ArrayList<>();

  private StopHook hook(Duration longestWait) {
    return new StopHook(
        new PrintWriter(text, true),
        longestWait,
        reasons::add,
        () -> List.of("volume v-1 of CreateVolume", "directory /there"));
  }

  @Test
  void namesWhatMayStayOnceTheTimeIsOver() {
    hook(Duration.ofMillis(20)).end();
    assertThat(reasons).containsExactly("the process was told to end");
    assertThat(text.toString().lines())
        .containsExactly(
            "csi: stopped; removing what was made",
            "csi: not everything could be removed in time; what may stay:",
            "volume v-1 of CreateVolume",
            "directory /there");
  }

  @Test
  void endsAtOnceWhenAllIsRemoved() throws InterruptedException {
    AtomicReference<StopHook> known = new AtomicReference<>();
    StopHook hook =
        new StopHook(
            new PrintWriter(text, true),
            Duration.ofMinutes(10),
            // As the run does that is stopped, on a thread of its own.
            reason -> new Thread(() -> known.get().close()).start(),
            () -> List.of("volume v-1"));
    known.set(hook);
    Thread ending = new Thread(hook::end);
    ending.start();
    ending.join(Duration.ofSeconds(60).toMillis());
    assertThat(ending.isAlive()).isFalse();
    assertThat(text.toString().lines()).containsExactly("csi: stopped; removing what was made");
  }
}
