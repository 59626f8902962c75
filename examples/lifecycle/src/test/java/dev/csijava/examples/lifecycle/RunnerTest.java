package dev.csijava.examples.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunnerTest {
  private final Recorder recorder = new Recorder();
  private final Runner runner = new Runner(Path.of("/nonexistent"), recorder);

  @Test
  void aStoryAsExpectedHasNoSurprise() throws IOException {
    Tally tally =
        runner.run(
            List.of(
                new Step.Chapter("one"),
                ok("Probe", () -> "ready"),
                new Step.Check("true", () -> true),
                new Step.Mounts(),
                new Step.Facts(() -> List.of(new Step.Fact("name", "value")))));

    assertThat(tally).isEqualTo(new Tally(1, 0));
    assertThat(recorder.heard)
        .containsExactly(
            "chapter one",
            "1 Probe OK ready expected",
            "true true",
            "mounts 0",
            "name=value",
            "demo: 1 calls, 0 surprises, 0 left out");
  }

  @Test
  void aRefusalThatShouldComeIsNone() throws IOException {
    Tally tally =
        runner.run(
            List.of(
                new Step.Call(
                    "DeleteVolume",
                    "",
                    Status.Code.FAILED_PRECONDITION,
                    () -> {
                      throw Status.FAILED_PRECONDITION
                          .withDescription("in use")
                          .asRuntimeException();
                    })));

    assertThat(tally).isEqualTo(new Tally(1, 0));
    assertThat(recorder.heard).contains("1 DeleteVolume FAILED_PRECONDITION in use expected");
  }

  @Test
  void aRefusalThatDoesNotComeIsASurpriseAndTheStoryGoesOn() throws IOException {
    Tally tally =
        runner.run(
            List.of(
                new Step.Call("DeleteVolume", "", Status.Code.FAILED_PRECONDITION, () -> ""),
                ok("Probe", () -> "")));

    assertThat(tally).isEqualTo(new Tally(2, 1));
  }

  @Test
  void whatNeedsACallThatFailedIsLeftOut() throws IOException {
    Tally tally =
        runner.run(
            List.of(
                ok(
                    "CreateVolume",
                    () -> {
                      throw Status.UNAVAILABLE.asRuntimeException();
                    }),
                ok("DeleteVolume", () -> ""),
                new Step.Check("never looked at", () -> false)));

    assertThat(tally).isEqualTo(new Tally(1, 1));
    assertThat(recorder.heard).last().isEqualTo("demo: 1 calls, 1 surprise, 2 left out");
  }

  @Test
  void aClaimThatIsNotTrueOrCanNotBeLookedAtIsASurprise() throws IOException {
    Tally tally =
        runner.run(
            List.of(
                new Step.Check("false", () -> false),
                new Step.Check(
                    "unknown",
                    () -> {
                      throw new IOException("gone");
                    })));

    assertThat(tally).isEqualTo(new Tally(0, 2));
    assertThat(recorder.heard).contains("false false", "unknown false java.io.IOException: gone");
  }

  private static Step ok(String rpc, Step.Action action) {
    return new Step.Call(rpc, "", Status.Code.OK, action);
  }

  private static final class Recorder implements Narrator {
    private final List<String> heard = new ArrayList<>();

    @Override
    public void chapter(String title) {
      heard.add("chapter " + title);
    }

    @Override
    public void call(int number, Step.Call call, Outcome outcome) {
      heard.add(
          String.join(
              " ",
              Integer.toString(number),
              call.rpc(),
              outcome.code().name(),
              outcome.words(),
              outcome.expected() ? "expected" : "a surprise"));
    }

    @Override
    public void check(String claim, boolean holds, String error) {
      heard.add((claim + " " + holds + " " + error).strip());
    }

    @Override
    public void facts(List<Step.Fact> facts) {
      facts.forEach(fact -> heard.add(fact.name() + "=" + fact.value()));
    }

    @Override
    public void mounts(List<OwnMount> mounts) {
      heard.add("mounts " + mounts.size());
    }

    @Override
    public void end(Tally tally, int leftOut) {
      heard.add(tally + ", " + leftOut + " left out");
    }
  }
}
