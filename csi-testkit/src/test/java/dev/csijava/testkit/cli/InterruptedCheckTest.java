package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A check that is told to end by the keyboard, as a process of its own. */
class InterruptedCheckTest {
  private static final int INTERRUPTED = 130;

  @TempDir Path directory = Path.of("set by JUnit");

  // What was under way at the signal is now and then left: seen once in three runs. See CHANGELOG.
  @Test
  @Tag("exhaustive")
  void removesWhatItMade() throws IOException, InterruptedException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver.script().on("NodePublishVolume").every().answerAfter(Duration.ofMillis(400));
      Path output = directory.resolve("output");
      Process check = start(driver, output);
      try {
        await(
            () -> driver.volumes().size() > 2 && !driver.calls().of("NodePublishVolume").isEmpty());
        new ProcessBuilder("sh", "-c", "kill -INT " + check.pid()).start().waitFor();
        assertThat(check.waitFor(60, TimeUnit.SECONDS)).isTrue();
      } finally {
        check.destroyForcibly();
      }
      assertThat(check.exitValue()).isEqualTo(INTERRUPTED);
      assertThat(Files.readString(output))
          .contains("broken off", "the process was told to end", "requirements: ");
      assertThat(driver.volumes()).isEmpty();
      assertThat(driver.snapshots()).isEmpty();
      try (Stream<Path> left = Files.list(directory)) {
        assertThat(left).containsExactly(output);
      }
    }
  }

  private Process start(FakeDriver driver, Path output) throws IOException {
    List<String> words = new ArrayList<>();
    // A shell that runs the build in the background lets it ignore the signal.
    words.addAll(List.of("env", "--default-signal=INT", OwnJvm.java()));
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp", String.join(":", OwnJvm.classPath())));
    words.addAll(List.of(Main.class.getName(), "check", "--endpoint", driver.endpoint()));
    words.addAll(List.of("--target-dir", directory.resolve("targets").toString()));
    words.addAll(List.of("--staging-dir", directory.resolve("staging").toString()));
    return new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(output.toFile())
        .start();
  }

  /** What is waited for. */
  @FunctionalInterface
  private interface Condition {
    boolean holds();
  }

  private static void await(Condition condition) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (!condition.holds() && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(condition.holds()).isTrue();
  }
}
