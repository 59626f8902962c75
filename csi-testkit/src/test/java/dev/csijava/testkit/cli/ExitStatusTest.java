package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a script learns from check: 0 all right, 1 not all right, 2 asked wrongly. */
class ExitStatusTest {
  @TempDir Path directory = Path.of("set by JUnit");

  /** A program that runs. */
  private record Running(Process process, Path output) {
    String ends(int status) throws IOException, InterruptedException {
      boolean ended = process.waitFor(90, TimeUnit.SECONDS);
      String text = Files.readString(output);
      assertThat(ended).as(text).isTrue();
      assertThat(process.exitValue()).as(text).isEqualTo(status);
      return text;
    }
  }

  private Running start(String name, String... words) throws IOException {
    Path output = directory.resolve(name);
    return new Running(
        new ProcessBuilder(OwnJvm.command(Main.class, words))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start(),
        output);
  }

  @Test
  void ofAProcess() throws IOException, InterruptedException {
    try (FakeDriver right = FakeDriver.builder().start();
        FakeDriver broken = FakeDriver.builder().start()) {
      broken.script().on("Probe").every().fail(Status.Code.UNKNOWN, "broken on purpose");
      String nowhere = directory.resolve("nobody.sock").toString();
      List<Running> all =
          List.of(
              start("right", "check", "--endpoint", right.endpoint(), "--only", "IDENT-PROBE-"),
              start("broken", "check", "--endpoint", broken.endpoint(), "--only", "IDENT-PROBE-"),
              start("nobody", "check", "--endpoint", nowhere, "--only", "IDENT-PROBE-"),
              start("wrong", "check", "--endpoint", "carrier-pigeon:///home"));
      try {
        assertThat(all.get(0).ends(0)).contains(" 0 failed, ").doesNotContain("FAILED");
        assertThat(all.get(1).ends(1))
            .contains("FAILED", "IDENT-PROBE-", "UNKNOWN: broken on purpose")
            .containsPattern("requirements: .* [1-9][0-9]* failed, ");
        assertThat(all.get(2).ends(1))
            .contains("csi check: the driver at " + nowhere + " can't be asked: UNAVAILABLE: ")
            .doesNotContain("requirements: ", "\tat ");
        assertThat(all.get(3).ends(2)).contains("csi check: ", "carrier-pigeon");
      } finally {
        all.forEach(one -> one.process().destroyForcibly());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "check",
        "check --endpoint",
        "check --endpoint /x.sock --no-such-option",
        "check --endpoint /x.sock --access-type tape",
        "check --endpoint /x.sock --size much",
        "check --endpoint /x.sock --size 5000000Ti",
        "check --endpoint /x.sock --call-timeout 0",
        "check --endpoint /x.sock --command-timeout -1",
        "check --endpoint /x.sock --name-prefix"
            + " csi-testkit-of-the-storage-team-in-the-second-building",
        "check --endpoint /x.sock --report /proc/self/status/report",
        "check --endpoint /x.sock --junit-file /proc/self/status/junit.xml",
        "check --endpoint /x.sock --parallel none",
        "check --endpoint /x.sock --engines steam",
        "check --endpoint /x.sock --secrets /no/such/file",
        "check --endpoint /x.sock --full-topology zone",
        "chek"
      })
  void isTwoWhenAskedWrongly(String line) {
    StringWriter err = new StringWriter();
    int status =
        Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), line.split(" "));
    assertThat(status).as(err.toString()).isEqualTo(2);
    assertThat(err.toString()).isNotBlank().doesNotContain("Exception", "\tat ", "enum");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "call NodeGetInfo --endpoint /x.sock --json /no/such/file",
        "manifests --endpoint /x.sock --metadata-ca /no/such/file",
      })
  void isOneForAFileThatIsNotThere(String line) {
    StringWriter err = new StringWriter();
    int status =
        Main.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), line.split(" "));
    assertThat(status).as(err.toString()).isEqualTo(1);
    assertThat(err.toString())
        .isEqualTo(
            "csi " + line.substring(0, line.indexOf(' ')) + ": /no/such/file does not exist\n");
  }

  /** After a run of half an hour what was found must not be lost with the file. */
  @Test
  void isOneWhenTheReportCannotBeWrittenAndTheRestIsToldAllTheSame() throws IOException {
    Path report = directory.resolve("report");
    Files.createDirectories(report.resolve("report.html"));
    try (FakeDriver driver = FakeDriver.builder().start()) {
      StringWriter out = new StringWriter();
      StringWriter err = new StringWriter();
      int status =
          Main.run(
              new PrintWriter(out, true),
              new PrintWriter(err, true),
              "check",
              "--endpoint",
              driver.endpoint(),
              "--only",
              "IDENT-PROBE-",
              "--report",
              report.toString());
      assertThat(status).as(err.toString()).isEqualTo(1);
      assertThat(out.toString()).contains("requirements: ", " 0 failed, ");
      assertThat(err.toString())
          .startsWith("csi check: the report can't be written: " + report)
          .doesNotContain("\tat ");
    }
  }

  @Test
  void isTwoWhenNoCaseIsChosen() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      StringWriter err = new StringWriter();
      int status =
          Main.run(
              new PrintWriter(new StringWriter()),
              new PrintWriter(err, true),
              "check",
              "--endpoint",
              driver.endpoint(),
              "--only",
              "CTRL-CRAETE");
      assertThat(status).as(err.toString()).isEqualTo(2);
      assertThat(err)
          .hasToString("csi check: --only, --without and --engines leave no case to run\n");
    }
  }

  /** What remains on a driver counts as a failure, though every row passed. */
  @Test
  void isOneWhenSomethingStays() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver.script().on("DeleteVolume").every().fail(Status.Code.FAILED_PRECONDITION, "kept");
      StringWriter out = new StringWriter();
      int status =
          Main.run(
              new PrintWriter(out, true),
              new PrintWriter(out, true),
              "check",
              "--endpoint",
              driver.endpoint(),
              "--only",
              "CTRL-CREATE-001");
      assertThat(status).as(out.toString()).isEqualTo(1);
      assertThat(out.toString()).contains("left behind: volume ", " 0 failed, ");
    }
  }
}
