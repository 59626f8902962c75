package dev.csijava.examples.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** bin/demo as a user starts it. */
class DemoIT {
  private static final Path DEMO = Path.of("../../bin/demo").toAbsolutePath().normalize();

  private Path temporary = Path.of("/nonexistent");

  @BeforeEach
  void needsAMountNamespace(@TempDir Path directory) throws Exception {
    temporary = directory.toRealPath();
    assumeTrue(
        "root".equals(System.getProperty("user.name")) && canUnshare(),
        "bin/demo needs root and unshare");
  }

  @AfterEach
  void leavesNothingBehind() throws IOException {
    try (Stream<Path> left = Files.list(temporary)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .allMatch(name -> name.equals("printed"));
    }
    assertThat(Files.readString(Path.of("/proc/self/mountinfo"))).doesNotContain(name());
    assertThat(processes()).isEmpty();
  }

  @Test
  void itEndsWithoutASurpriseTwiceInARow() throws Exception {
    for (int i = 0; i < 2; i++) {
      Process demo = start();
      assertThat(demo.waitFor(3, TimeUnit.MINUTES)).isTrue();
      List<String> lines = Files.readAllLines(temporary.resolve("printed"));

      assertThat(lines).last().asString().matches("demo: [1-9][0-9]+ calls, 0 surprises");
      assertThat(demo.exitValue()).isZero();
    }
  }

  @Test
  void itCleansUpWhenItIsStoppedInTheMiddle() throws Exception {
    int exit = stoppedInTheMiddle();
    for (int again = 0; exit == 0 && again < 10; again++) {
      // This process stalled, and the demo came to its end before it could be stopped.
      exit = stoppedInTheMiddle();
    }
    assertThat(exit).isEqualTo(128 + 15);
  }

  private int stoppedInTheMiddle() throws IOException, InterruptedException {
    Process demo = start();
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!Files.readString(temporary.resolve("printed")).contains("NodeStageVolume")) {
      assertThat(demo.isAlive() && System.nanoTime() < deadline).isTrue();
      Thread.sleep(20);
    }

    demo.destroy();

    assertThat(demo.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return demo.exitValue();
  }

  private Process start() throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(DEMO.toString())
            .redirectErrorStream(true)
            .redirectOutput(temporary.resolve("printed").toFile());
    builder.environment().put("TMPDIR", temporary.toString());
    // This very JDK, and what this build made.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("CSI_BUILD", "never");
    return builder.start();
  }

  private static boolean canUnshare() throws InterruptedException {
    try {
      return new ProcessBuilder("unshare", "--mount", "true").start().waitFor() == 0;
    } catch (IOException e) {
      return false;
    }
  }

  private String name() {
    return temporary.toString();
  }

  /** Processes, zombies aside, that were started with this test's folder. */
  private List<String> processes() throws IOException {
    try (Stream<Path> all = Files.list(Path.of("/proc"))) {
      return all.filter(path -> path.getFileName().toString().matches("[0-9]+"))
          .map(path -> text(path.resolve("cmdline")))
          .filter(line -> line.contains(name() + "/csi-demo"))
          .toList();
    }
  }

  /** Empty if the process is gone. */
  private static String text(Path file) {
    try {
      return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "";
    }
  }
}
