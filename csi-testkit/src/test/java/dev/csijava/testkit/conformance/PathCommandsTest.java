package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A driver on another machine: paths are made, looked at and removed by the user's commands. */
class PathCommandsTest {
  /** Rows that look at what stands at a target. */
  private static final List<String> LOOKING =
      List.of(
          "NODE-PUB-028",
          "NODE-PUB-029",
          "NODE-UNPUB-005",
          "NODE-UNPUB-008",
          "NODE-UNPUB-011",
          "GEN-LIFE-003",
          "GEN-LIFE-006");

  private static final String STAT =
      "if [ -f \"$1\" ]; then echo file; elif [ -d \"$1\" ]; then echo directory;"
          + " elif [ -e \"$1\" ]; then echo other; else echo not_found; fi";

  @TempDir Path directory = Path.of("set by JUnit");
  private final FakeDriver driver;

  PathCommandsTest() throws IOException {
    driver = FakeDriver.builder().start();
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void whatTheCommandsMakeAndTellIsUsedAndRemoved() throws IOException {
    RunReport report = run(LOOKING, s -> check(STAT).apply(elsewhere().apply(s)));
    assertThat(report.leftovers()).isEmpty();
    for (String row : LOOKING) {
      assertThat(verdict(report, row)).as(row).isEqualTo(Verdict.PASSED);
    }
    List<String> made = Files.readAllLines(directory.resolve("made"));
    assertThat(made).isNotEmpty().allMatch(path -> path.contains("/elsewhere/"));
    assertThat(Files.readAllLines(directory.resolve("removed")))
        .as("as csi-sanity does, with the paths that were printed")
        .containsExactlyInAnyOrderElementsOf(made);
    assertThat(Files.readAllLines(directory.resolve("looked")))
        .isNotEmpty()
        .allMatch(path -> made.stream().anyMatch(parent -> path.startsWith(parent + "/")));
    try (Stream<Path> left = Files.list(directory.resolve("elsewhere"))) {
      assertThat(left).isEmpty();
    }
    assertThat(directory.resolve("targets")).as("the suggested path").doesNotExist();
  }

  @Test
  void commandsThatPrintNothingMadeTheDirectoryThatWasAskedFor() throws IOException {
    RunReport report =
        run(
            List.of("NODE-UNPUB-005", "NODE-STAGE-001"),
            s ->
                s.createTargetCommand(List.of("mkdir", "-p"))
                    .createStagingCommand(List.of("mkdir", "-p"))
                    .removeTargetCommand(List.of("rmdir"))
                    .removeStagingCommand(List.of("rmdir"))
                    .checkPathCommand(List.of(script("check", STAT))));
    assertThat(report.leftovers()).isEmpty();
    assertThat(verdict(report, "NODE-UNPUB-005")).isEqualTo(Verdict.PASSED);
    for (String parent : List.of("targets", "staging")) {
      try (Stream<Path> left = Files.list(directory.resolve(parent))) {
        assertThat(left).as("what the user named stays, empty").isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "echo directory,           NODE-UNPUB-005, 'left there: directory'",
    "echo not_found,           NODE-PUB-029,   'nothing at '",
    "echo file,                NODE-PUB-028,   'file'",
    "echo dir,                 NODE-UNPUB-005, 'printed \"dir\"'",
    "true,                     NODE-UNPUB-005, 'printed nothing'",
    "echo no such host >&2; false, NODE-UNPUB-005, 'ended with 1: no such host'",
    "exec sleep 60,                 NODE-UNPUB-005, 'did not end in 5 s'",
  })
  void whatTheCheckCommandSaysDecides(String body, String row, String came) throws IOException {
    RunReport report =
        run(List.of(row), s -> check(body).apply(elsewhere().apply(hurried(body, s))));
    assertThat(verdict(report, row)).isEqualTo(Verdict.FAILED);
    assertThat(row(report, row).results())
        .anySatisfy(result -> assertThat(result.came()).contains(came));
  }

  @Test
  void withoutACheckCommandTheRowsAreSkippedAndSayWhichOption() throws IOException {
    RunReport report = run(List.of("NODE-UNPUB-005"), elsewhere());
    assertThat(verdict(report, "NODE-UNPUB-005")).isEqualTo(Verdict.SKIPPED);
    assertThat(row(report, "NODE-UNPUB-005").reason())
        .contains("--check-path-command is not given");
  }

  @Test
  void theCheckCommandIsAskedAlsoWhereTheKitSeesThePaths() throws IOException {
    RunReport report = run(List.of("NODE-UNPUB-005"), check("echo other"));
    assertThat(verdict(report, "NODE-UNPUB-005")).isEqualTo(Verdict.FAILED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"echo no room >&2; false", "exec sleep 60"})
  void aDirectoryThatCantBeMadeFailsTheCase(String body) throws IOException {
    RunReport report =
        run(
            List.of("NODE-UNPUB-005"),
            s -> hurried(body, s).createTargetCommand(List.of(script("create", body))));
    assertThat(verdict(report, "NODE-UNPUB-005")).isEqualTo(Verdict.FAILED);
    assertThat(row(report, "NODE-UNPUB-005").results())
        .anySatisfy(
            result ->
                assertThat(result.came())
                    .contains("can't be made")
                    .containsAnyOf("no room", "did not end"));
  }

  /** As a connection of ssh that is shared stays open behind its first command. */
  @Test
  @Timeout(60)
  void whatACommandLeavesRunningIsNotWaitedFor() throws IOException {
    Path pid = directory.resolve("pid");
    List<String> command =
        List.of(script("create", "sleep 300 & echo $! > '" + pid + "'; seq 20000; echo /there"));
    try {
      assertThat(PathCommand.run(command, Path.of("/here"), Duration.ofSeconds(50)))
          .as("after more than a pipe holds")
          .isEqualTo("/there");
    } finally {
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @Test
  void aDirectoryThatCantBeRemovedIsNamed() throws IOException {
    RunReport report =
        run(
            List.of("NODE-UNPUB-005"),
            s ->
                s.createTargetCommand(List.of("mkdir", "-p"))
                    .removeTargetCommand(List.of("false")));
    assertThat(report.leftovers())
        .isNotEmpty()
        .allSatisfy(
            line -> assertThat(line).contains("could not be removed", "false ended with 1"));
    assertThat(report.clean()).isFalse();
  }

  /** Waits for a program that never ends less long than for one that a busy machine starts late. */
  private static SettingsBuilder hurried(String body, SettingsBuilder settings) {
    return body.contains("sleep") ? settings.commandTimeout(Duration.ofSeconds(5)) : settings;
  }

  /** Directories with names that the kit can't guess. */
  private UnaryOperator<SettingsBuilder> elsewhere() {
    String create =
        "mkdir -p '"
            + directory
            + "/elsewhere'; made=$(mktemp -d '"
            + directory
            + "/elsewhere/XXXXXX'); echo \"$made\" >> '"
            + directory;
    List<String> make = List.of(script("create", create + "/made'; echo some log; echo \"$made\""));
    List<String> remove =
        List.of(script("remove", "echo \"$1\" >> '" + directory + "/removed'; rmdir \"$1\""));
    return s ->
        s.createTargetCommand(make)
            .createStagingCommand(make)
            .removeTargetCommand(remove)
            .removeStagingCommand(remove);
  }

  private UnaryOperator<SettingsBuilder> check(String body) {
    List<String> command =
        List.of(script("check", "echo \"$1\" >> '" + directory + "/looked'; " + body));
    return s -> s.checkPathCommand(command);
  }

  private String script(String name, String body) {
    try {
      Path file = directory.resolve(name);
      Files.writeString(file, "#!/bin/sh\n" + body + "\n");
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
      return file.toString();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private RunReport run(List<String> rows, UnaryOperator<SettingsBuilder> given) {
    Settings settings =
        given
            .apply(
                Settings.forEndpoint(driver.endpoint())
                    .targetDirectory(directory.resolve("targets"))
                    .stagingDirectory(directory.resolve("staging"))
                    .commandTimeout(Duration.ofSeconds(60))
                    .only(rows))
            .build();
    try (Session session = Session.open(settings)) {
      return new ConformanceRun(session, Catalogue.cases(), new RunListener() {}).run();
    }
  }

  private static Verdict verdict(RunReport report, String id) {
    return row(report, id).verdict();
  }

  private static RunReport.Row row(RunReport report, String id) {
    Optional<RunReport.Row> found =
        report.rows().stream().filter(row -> row.requirement().id().equals(id)).findFirst();
    return found.orElseThrow();
  }
}
