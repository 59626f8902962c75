package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.cli.OwnJvm;
import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the kit makes of the ways in which drivers' processes begin. */
class StartCasesTest {
  private static final String ENDS = "start-without-endpoint";

  @TempDir Path directory = Path.of("set by JUnit");

  private CaseResult result(String id, Duration quickly, List<String> command) throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        Session session =
            Session.open(
                Settings.forEndpoint(driver.endpoint())
                    .callTimeout(Duration.ofSeconds(60))
                    .startCommand(command)
                    .build())) {
      Case tested =
          new StartCases(quickly)
              .cases().stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
      return session.run(tested);
    }
  }

  private static List<String> shell(String script) {
    return List.of("sh", "-c", script);
  }

  @ParameterizedTest
  @CsvSource({
    "exit 3, PASSED",
    "exit 0, FAILED",
    // Serves nowhere, and never ends.
    "sleep 60, FAILED",
    // Takes nonsense for an endpoint.
    "test -n \"$CSI_ENDPOINT\" && sleep 60; exit 1, FAILED",
    // Waits for an endpoint that never comes.
    "test -n \"$CSI_ENDPOINT\" || sleep 60; exit 1, FAILED"
  })
  void aDriverThatGotNoEndpointEndsWithAStatus(String script, Verdict expected) throws IOException {
    Duration quickly = Duration.ofMillis(expected == Verdict.PASSED ? 60_000 : 300);
    assertThat(result(ENDS, quickly, shell(script)).rows())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.verdict()).as(row.toString()).isEqualTo(expected));
  }

  @Test
  void aDriverMayHaveAnEndpointOfItsOwn() throws IOException {
    Path own = directory.resolve("own.sock");
    String java = String.join(" ", OwnJvm.command(dev.csijava.testkit.cli.Main.class, "fake"));
    // Not by exec: what a script starts has to end with it.
    String script = "test -z \"$CSI_ENDPOINT\" || exit 1; CSI_ENDPOINT=" + own + " " + java + "; :";
    CaseResult result = result(ENDS, Duration.ofSeconds(60), shell(script));
    assertThat(result.rows())
        .hasSize(2)
        .allSatisfy(row -> assertThat(row.verdict()).as(row.toString()).isEqualTo(Verdict.PASSED))
        .anySatisfy(
            row -> assertThat(row.notes()).anyMatch(note -> note.contains("endpoint of its own")));
    assertThat(own).doesNotExist();
  }

  @Test
  void aCommandThatIsNoneLeavesNothing() throws IOException {
    Path temporary = Path.of(System.getProperty("java.io.tmpdir"));
    List<Path> before = started(temporary);
    CaseResult result =
        result("GEN-EP-001", Duration.ofSeconds(1), List.of(directory.resolve("none").toString()));
    assertThat(result.rows())
        .singleElement()
        .satisfies(row -> assertThat(row.verdict()).isEqualTo(Verdict.SKIPPED))
        .satisfies(row -> assertThat(row.reason()).contains("none can't be run"));
    assertThat(started(temporary)).isSubsetOf(before);
  }

  private static List<Path> started(Path temporary) throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.filter(one -> one.getFileName().toString().startsWith("csi-testkit-start"))
          .toList();
    }
  }

  @Test
  void aDriverListensWhereItWasTold() throws IOException {
    List<String> command = OwnJvm.command(dev.csijava.testkit.cli.Main.class, "fake");
    assertThat(result("GEN-EP-001", Duration.ofSeconds(60), command).verdict())
        .isEqualTo(Verdict.PASSED);
    Path log = directory.resolve("log");
    assertThat(
            result("GEN-EP-001", Duration.ofMillis(300), shell("env > " + log + "; exit 0"))
                .verdict())
        .isEqualTo(Verdict.FAILED);
    assertThat(Files.readString(log)).contains("CSI_ENDPOINT=unix://");
  }
}
