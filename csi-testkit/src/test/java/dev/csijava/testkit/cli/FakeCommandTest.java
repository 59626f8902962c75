package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The driver in memory as a program. One that serves where it should refuse ends with its test. */
@Timeout(120)
class FakeCommandTest {
  private static final int BY_SIGTERM = 143;

  @TempDir Path directory = Path.of("set by JUnit");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private Path socket() {
    return directory.resolve("fake.sock");
  }

  private int csi(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--endpoint", "unix://" + socket()));
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(new String[0]));
  }

  @Test
  void servesAsToldUntilItIsTerminated() throws IOException, InterruptedException {
    Path output = directory.resolve("output");
    Process fake =
        new ProcessBuilder(
                OwnJvm.command(
                    Main.class,
                    ("fake --name pretend.example.com --node-id here,there --csi-version 1.13"
                            + " --without ctrl:CLONE_VOLUME --without node:EXPAND_VOLUME"
                            + " --without plugin:SNAPSHOT_METADATA_SERVICE"
                            + " --fail CreateVolume:1:UNAVAILABLE --slow DeleteVolume:0.4"
                            + " --endpoint "
                            + socket())
                        .split(" ")))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      awaitText(output, "serving pretend.example.com at unix://" + socket());
      assertThat(csi("info")).as(err.toString()).isZero();
      assertThat(out.toString())
          .contains("pretend.example.com", "here", "GET_VOLUME_HEALTH", "GET_SNAPSHOT")
          .doesNotContain("CLONE_VOLUME", "SNAPSHOT_METADATA_SERVICE", "VOLUME_CONDITION")
          .containsOnlyOnce("EXPAND_VOLUME");

      String[] create = {"call", "CreateVolume", "--name", "v", "--cap", "1,mount"};
      assertThat(csi(create)).isEqualTo(1);
      assertThat(err.toString()).startsWith("UNAVAILABLE: ");
      assertThat(csi(create)).as(err.toString()).isZero();
      long began = System.nanoTime();
      assertThat(csi("call", "DeleteVolume", "--volume-id", "v")).as(err.toString()).isZero();
      assertThat(System.nanoTime() - began).isGreaterThan(Duration.ofMillis(400).toNanos());

      assertThat(csi("fake")).as("a second one at the socket").isEqualTo(1);
      assertThat(err.toString()).contains("another process serves " + socket());

      fake.destroy();
      assertThat(fake.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(fake.exitValue()).isEqualTo(BY_SIGTERM);
      assertThat(socket()).doesNotExist();
    } finally {
      fake.destroyForcibly();
    }
  }

  @Test
  void leavesAFileAloneThatIsNoSocket() throws IOException {
    Files.writeString(socket(), "somebody's");
    assertThat(csi("fake")).isEqualTo(1);
    assertThat(err.toString()).contains("the fake driver can't serve: ", "is no socket");
    assertThat(socket()).hasContent("somebody's");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--csi-version 2.0",
        "--without ctrl:FLYING",
        "--without CLONE_VOLUME",
        "--fail CreateVolume:1",
        "--fail CreateVolume:first:ABORTED",
        "--fail CreateVolume:1:SORRY",
        "--fail CreateVolume:1:OK",
        "--fail CreateVolume:0:ABORTED",
        "--slow NodeStageVolume:1e99",
        "--fail NoSuchRpc:1:ABORTED",
        "--slow NodeStageVolume:late",
        "--slow NodeStageVolume:-1",
        "--node-id ,"
      })
  void saysWhatIsWrongWithTheCommandLine(String options) {
    assertThat(csi(("fake " + options).split(" "))).as(err.toString()).isEqualTo(2);
    assertThat(err.toString())
        .isNotBlank()
        .doesNotContain("\tat ", "No enum constant", "For input string");
    assertThat(socket()).doesNotExist();
  }

  private static void awaitText(Path file, String text) throws IOException, InterruptedException {
    long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
    while (!Files.readString(file).contains(text) && System.nanoTime() < end) {
      Thread.sleep(10);
    }
    assertThat(file).content().contains(text);
  }
}
