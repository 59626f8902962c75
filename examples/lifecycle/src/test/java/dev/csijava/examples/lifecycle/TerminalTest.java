package dev.csijava.examples.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TerminalTest {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);

  @Test
  void callsStandInColumns() {
    Terminal terminal = new Terminal(out, false);

    terminal.call(
        7, call("Probe", ""), new Outcome(Status.Code.OK, Duration.ofMillis(2), "ready", true));
    terminal.call(
        12,
        call("DeleteVolume", "notes"),
        new Outcome(Status.Code.ABORTED, Duration.ofNanos(1_234_567_000), "busy", false));

    assertThat(printed())
        .isEqualTo(
            """
               7       2.0 ms  OK                   Probe                       ready
              12    1234.6 ms  ABORTED              DeleteVolume                notes
                              busy
                              SURPRISE: expected OK
            """);
  }

  @Test
  void newMountsAreMarked() {
    Terminal terminal = new Terminal(out, false);
    OwnMount staged = new OwnMount("staging/a", "state/a", "ext4", true);
    OwnMount published = new OwnMount("pod/a", "state/a", "ext4", false);

    terminal.mounts(List.of(staged));
    terminal.mounts(List.of(staged, published));
    terminal.mounts(List.of());

    assertThat(printed())
        .isEqualTo(
            """
                + staging/a  state/a  ext4 rw
                | staging/a  state/a  ext4 rw
                + pod/a      state/a  ext4 ro
                (nothing of ours is mounted)
            """);
  }

  @Test
  void theLastLineCounts() {
    new Terminal(out, false).end(new Tally(27, 0), 0);

    assertThat(printed()).endsWith("\ndemo: 27 calls, 0 surprises\n");
  }

  @Test
  void coloursComeOnlyWhereTheyAreAskedFor() {
    new Terminal(out, false).chapter("one");
    assertThat(printed()).doesNotContain("\033");

    new Terminal(out, true).chapter("one");
    assertThat(printed()).contains("\033[1mone\033[0m");
  }

  @Test
  void sizesAreReadable() {
    assertThat(List.of(0L, 1L, 1024L, 64L << 20, 1536L << 20, Long.MAX_VALUE))
        .extracting(Sizes::text)
        .containsExactly("0 bytes", "1 bytes", "1 KiB", "64 MiB", "1.5 GiB", "8 EiB");
  }

  private static Step.Call call(String rpc, String about) {
    return new Step.Call(rpc, about, Status.Code.OK, () -> "");
  }

  private String printed() {
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
