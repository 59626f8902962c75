package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.SettingsBuilder;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.fake.Mutant.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The engines pass on the driver in memory, given all that they ask for, and catch mutants. */
@ExtendWith(QuietServer.class)
class EnginesTest {
  @TempDir Path directory = Path.of("set by JUnit");

  static Stream<String> engineCases() {
    return Catalogue.cases().stream().map(Case::id).filter(id -> id.startsWith("engine-"));
  }

  @ParameterizedTest
  @MethodSource("engineCases")
  void passesOnTheDriverInMemory(String id) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "nothing secret\n");
    try (FakeDriver driver = Config.CSI_1_12.builder().start();
        RestartScript script = new RestartScript(driver, directory, false);
        FakeRegistrar registrar = new FakeRegistrar(directory.resolve("reg.sock"), driver);
        Session session =
            session(
                driver,
                s ->
                    s.killCommand(script.killCommand())
                        .restartCommand(script.restartCommand())
                        .registrationSocket(registrar.socket())
                        .logFile(log))) {
      assertThat(results(session, id))
          .allSatisfy(
              row -> assertThat(row.verdict()).as(row.toString()).isEqualTo(Verdict.PASSED));
      assertThat(driver.volumes()).isEmpty();
      assertThat(driver.snapshots()).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void catches(EngineMutants mutant) throws IOException {
    Path log = Files.writeString(directory.resolve("log"), "");
    try (FakeDriver driver = Config.CSI_1_12.builder().deviation(mutant.deviation(log)).start();
        RestartScript script = new RestartScript(driver, directory, mutant.forgets());
        Session session =
            session(
                driver,
                s ->
                    s.killCommand(script.killCommand())
                        .restartCommand(script.restartCommand())
                        .logFile(log))) {
      assertThat(
              Catalogue.cases().stream()
                  .filter(one -> one.id().startsWith("engine-"))
                  .filter(one -> one.rows().stream().anyMatch(r -> r.id().equals(mutant.row())))
                  .flatMap(one -> session.run(one).rows().stream())
                  .filter(result -> result.row().equals(mutant.row()))
                  .map(RowResult::verdict))
          .contains(Verdict.FAILED);
    }
  }

  /** A seed that fails is printed, and fails at once in another run. */
  @Test
  void aFailingSeedReplays() throws IOException {
    EngineMutants mutant = EngineMutants.LOSES_A_VOLUME_WITH_A_SNAPSHOT;
    Path log = Files.writeString(directory.resolve("log"), "");
    String expected = failedBy(mutant, log, 7);
    Matcher printed = Pattern.compile("--seed ([0-9-]+)").matcher(expected);
    assertThat(printed.find()).as(expected).isTrue();
    long seed = Long.parseLong(printed.group(1));
    assertThat(failedBy(mutant, log, seed)).contains("--seed " + seed + ")");
  }

  private String failedBy(EngineMutants mutant, Path log, long seed) throws IOException {
    try (FakeDriver driver = Config.CSI_1_12.builder().deviation(mutant.deviation(log)).start();
        Session session = session(driver, s -> s.seed(seed))) {
      return results(session, "engine-model").stream()
          .filter(row -> row.verdict() == Verdict.FAILED)
          .map(RowResult::expected)
          .findFirst()
          .orElseThrow();
    }
  }

  @Test
  void aDriverWithoutInlineVolumesRefusesThemAndTakesThemBack() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().inlineVolumes(false).start();
        Session session = session(driver, s -> s)) {
      assertThat(results(session, "engine-callers-kubelet-inline"))
          .singleElement()
          .satisfies(
              row -> {
                assertThat(row.verdict()).isEqualTo(Verdict.PASSED);
                assertThat(row.notes())
                    .singleElement()
                    .asString()
                    .contains("no inline volumes", "FAILED_PRECONDITION");
              });
      assertThat(driver.calls().names()).contains("NodeUnpublishVolume");
    }
  }

  @Test
  void crashAndReplaySkipWithoutACommandAndSayWhichOption() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        Session session = session(driver, s -> s)) {
      for (String id : List.of("engine-crash-controller", "engine-replay-restart")) {
        assertThat(results(session, id))
            .allSatisfy(row -> assertThat(row.verdict()).isEqualTo(Verdict.SKIPPED))
            .anySatisfy(row -> assertThat(row.reason()).contains("--restart-command"));
      }
    }
  }

  private static List<RowResult> results(Session session, String id) {
    return Catalogue.cases().stream()
        .filter(one -> one.id().equals(id))
        .flatMap(one -> session.run(one).rows().stream())
        .toList();
  }

  /** What a test adds. */
  @FunctionalInterface
  private interface Given {
    SettingsBuilder to(SettingsBuilder builder);
  }

  private Session session(FakeDriver driver, Given given) {
    return Session.open(
        given
            .to(
                Settings.forEndpoint(driver.endpoint())
                    .targetDirectory(directory.resolve("targets"))
                    .stagingDirectory(directory.resolve("staging"))
                    .mutableParameters(Map.of("iops", "100"))
                    .callTimeout(Duration.ofSeconds(20))
                    .repetitions(3)
                    .seed(7))
            .build());
  }
}
