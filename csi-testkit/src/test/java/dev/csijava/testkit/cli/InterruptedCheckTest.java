package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A check that is told to end, as a process of its own. What is under way at that moment is looked
 * at closely by StoppedRunTest.
 */
class InterruptedCheckTest {
  private static final int BY_SIGINT = 130;
  private static final int BY_SIGTERM = 143;

  @TempDir Path directory = Path.of("set by JUnit");

  @Test
  void removesWhatItMadeThoughTheUserIsImpatient() throws IOException, InterruptedException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver.script().on("CreateVolume").every().answerAfter(Duration.ofMillis(300));
      driver.script().on("CreateSnapshot").every().startAfter(Duration.ofMillis(300));
      driver.script().on("NodePublishVolume").every().answerAfter(Duration.ofMillis(400));
      Path output = directory.resolve("output");
      Process check = start(driver, output);
      try {
        await(
            () -> driver.volumes().size() > 2 && !driver.calls().of("NodePublishVolume").isEmpty());
        signal(check, "INT");
        await(() -> Files.readString(output).contains("removing what was made"));
        signal(check, "INT");
        assertThat(check.waitFor(90, TimeUnit.SECONDS)).isTrue();
      } finally {
        check.destroyForcibly();
      }
      String text = Files.readString(output);
      assertThat(check.exitValue()).as(text).isEqualTo(BY_SIGINT);
      assertThat(text)
          .contains("broken off: the process was told to end", "requirements: ")
          .containsOnlyOnce("requirements: ")
          .doesNotContain("FAILED");
      assertThat(driver.volumes()).isEmpty();
      assertThat(driver.snapshots()).isEmpty();
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).containsExactly(output);
      }
    }
  }

  @Test
  void saysWhatStaysWhenItIsTerminatedAndTheDriverGivesNothingBack()
      throws IOException, InterruptedException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver.script().on("CreateVolume").every().answerAfter(Duration.ofMillis(300));
      driver
          .script()
          .on("DeleteVolume")
          .every()
          .fail(Status.Code.FAILED_PRECONDITION, "not given back");
      Path output = directory.resolve("output");
      Process check = start(driver, output, "--only", "CTRL-CREATE-001,CTRL-CREATE-002");
      try {
        await(() -> !driver.volumes().isEmpty());
        signal(check, "TERM");
        assertThat(check.waitFor(90, TimeUnit.SECONDS)).isTrue();
      } finally {
        check.destroyForcibly();
      }
      String text = Files.readString(output);
      assertThat(check.exitValue()).as(text).isEqualTo(BY_SIGTERM);
      driver
          .volumes()
          .forEach(v -> assertThat(text).contains("left behind: volume " + v.getVolumeId()));
      assertThat(text).contains("FAILED_PRECONDITION: not given back");
    }
  }

  private static void signal(Process process, String name)
      throws IOException, InterruptedException {
    new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid()).start().waitFor();
  }

  private Process start(FakeDriver driver, Path output, String... more) throws IOException {
    // A shell that runs the build in the background lets it ignore the signal.
    List<String> words = new ArrayList<>(List.of("env", "--default-signal=INT"));
    words.addAll(OwnJvm.command(Main.class, "check", "--endpoint", driver.endpoint()));
    words.addAll(List.of("--target-dir", directory.resolve("targets").toString()));
    words.addAll(List.of("--staging-dir", directory.resolve("staging").toString()));
    words.addAll(List.of(more));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** What is waited for. */
  @FunctionalInterface
  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(2).toNanos();
    while (!condition.holds() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(condition.holds()).isTrue();
  }
}
