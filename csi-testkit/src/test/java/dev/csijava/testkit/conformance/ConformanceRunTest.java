package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.fake.FakeDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformanceRunTest {
  @TempDir Path directory = Path.of("set by JUnit");
  private FakeDriver driver;
  private Session session;

  ConformanceRunTest() throws IOException {
    driver = FakeDriver.builder().start();
    session = Session.open(Settings.forEndpoint(driver.endpoint()).build());
  }

  @BeforeEach
  void open() {
    session.close();
    session =
        Session.open(
            Settings.forEndpoint(driver.endpoint())
                .targetDirectory(directory.resolve("targets"))
                .stagingDirectory(directory.resolve("staging"))
                .build());
  }

  @AfterEach
  void close() {
    session.close();
    driver.close();
  }

  @Test
  void whatAFailedCaseMadeIsRemoved() throws IOException {
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  NodeWork node = c.make().onNode();
                  node.publish(node.stage(c.make().volume(), c.requests().capability()));
                  c.make().snapshot(c.make().volume());
                  throw new IllegalStateException("on purpose");
                }));
    assertThat(verdict(report, "CTRL-CREATE-001")).isEqualTo(Verdict.FAILED);
    nothingIsLeft(report);
  }

  @Test
  void whatAnInterruptedCaseMadeIsRemoved() throws Exception {
    CountDownLatch busy = new CountDownLatch(1);
    Case endless =
        Case.of(
            "CTRL-CREATE-001",
            c -> {
              NodeWork node = c.make().onNode();
              node.publish(node.stage(c.make().volume(), c.requests().capability()));
              busy.countDown();
              new CountDownLatch(1).await();
            });
    ConformanceRun run = new ConformanceRun(session, List.of(endless), new RunListener() {});
    Thread interrupter =
        new Thread(
            () -> {
              try {
                busy.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              run.stop("told to");
            });
    interrupter.start();
    RunReport report = run.run();
    interrupter.join();
    assertThat(report.broken()).isEqualTo("told to");
    assertThat(report.clean()).isFalse();
    nothingIsLeft(report);
  }

  @Test
  void whatACallWithoutAKnownEndMadeIsRemoved() throws IOException {
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  c.controller()
                      .withDeadlineAfter(1, java.util.concurrent.TimeUnit.MILLISECONDS)
                      .createVolume(c.requests().volume().build());
                }));
    nothingIsLeft(report);
  }

  @Test
  void aSnapshotThatIsNotReadyInTimeIsSaidToBe() throws IOException {
    try (FakeDriver slow = FakeDriver.builder().snapshotProcessing(Duration.ofHours(1)).start();
        Session impatient =
            Session.open(
                Settings.forEndpoint(slow.endpoint()).callTimeout(Duration.ofSeconds(1)).build())) {
      assertThat(
              impatient
                  .run(Case.of("CTRL-SNAP-001", c -> c.make().snapshot(c.make().volume())))
                  .rows())
          .singleElement()
          .satisfies(
              row ->
                  assertThat(row.came())
                      .contains("not ready after 1 s")
                      .contains("--call-timeout"));
    }
  }

  @Test
  void whatLiesInAStagingDirectoryMayBeAVolumeAndIsKept() throws IOException {
    List<Path> kept = new ArrayList<>();
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  for (String path :
                      List.of(c.make().onNode().stagingPath(), c.make().onNode().targetPath())) {
                    Path staging = c.make().onNode().file(path);
                    Files.createDirectories(staging);
                    kept.add(Files.writeString(staging.resolve("data"), "a customer's"));
                  }
                  c.make().onNode().stagingPath();
                  c.check(true, "", "");
                }));
    assertThat(kept).hasSize(2).allSatisfy(file -> assertThat(file).hasContent("a customer's"));
    assertThat(report.leftovers())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("could not be removed"));
    try (Stream<Path> below = Files.walk(directory.resolve("staging"))) {
      assertThat(below.filter(Files::isDirectory))
          .as("what is empty went all the same: the root, this run's, and the one with a file")
          .hasSize(3);
    }
  }

  @Test
  void directoriesThatWereThereBeforeStay() throws IOException {
    Path targets = Files.createDirectory(directory.resolve("targets"));
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  NodeWork node = c.make().onNode();
                  node.publish(node.stage(c.make().volume(), c.requests().capability()));
                }));
    assertThat(report.leftovers()).isEmpty();
    assertThat(targets).isEmptyDirectory();
    assertThat(directory.resolve("staging")).doesNotExist();
  }

  @Test
  void aPathThatStaysHoldsNoOtherBack() throws IOException {
    Path[] full = new Path[1];
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  NodeWork node = c.make().onNode();
                  node.targetPath();
                  full[0] = Path.of(node.targetPath());
                  node.targetPath();
                  Files.createDirectory(full[0]);
                  Files.writeString(full[0].resolve("somebody's"), "kept");
                }));
    assertThat(report.leftovers())
        .singleElement()
        .asString()
        .contains("the directory " + full[0] + " could not be removed");
    try (Stream<Path> left = Files.list(full[0].resolve("../..").normalize())) {
      assertThat(left).containsExactly(full[0].resolve("..").normalize());
    }
  }

  @Test
  void rowsOfCasesThatDoNotApplyAreSkippedWithTheReason() {
    RunReport report = run(Case.of("CTRL-CREATE-029", c -> c.check(false, "never", "run")));
    assertThat(verdict(report, "CTRL-CREATE-029")).isEqualTo(Verdict.SKIPPED);
    assertThat(row(report, "CTRL-CREATE-029").reason()).contains("about the absence");
  }

  @Test
  void everyRowOfTheInventoryIsInTheReport() {
    RunReport report = run(Case.of("CTRL-CREATE-002", c -> c.check(true, "", "")));
    assertThat(report.rows()).hasSize(558);
    assertThat(report.closingLine())
        .matches("requirements: \\d+ passed, 0 failed, \\d+ skipped, \\d+ untestable of 558");
  }

  @Test
  void aFailureOutlivesAPassAndCarriesTheCalls() {
    RunReport report =
        run(
            Case.of(
                "CTRL-CREATE-001",
                c -> {
                  c.ok(() -> c.controller().createVolume(c.requests().volume().build()));
                  c.check(false, "one thing", "another");
                  c.check(true, "", "");
                }));
    RowResult result = row(report, "CTRL-CREATE-001").results().get(0);
    assertThat(result.verdict()).isEqualTo(Verdict.FAILED);
    assertThat(result.expected()).isEqualTo("one thing");
    assertThat(result.calls()).extracting("rpc").containsExactly("CreateVolume");
  }

  private RunReport run(Case tested) {
    return new ConformanceRun(session, List.of(tested), new RunListener() {}).run();
  }

  private static Verdict verdict(RunReport report, String id) {
    return row(report, id).verdict();
  }

  private static RunReport.Row row(RunReport report, String id) {
    return report.rows().stream()
        .filter(row -> row.requirement().id().equals(id))
        .findFirst()
        .orElseThrow();
  }

  private void nothingIsLeft(RunReport report) throws IOException {
    assertThat(report.leftovers()).isEmpty();
    assertThat(driver.volumes()).isEmpty();
    assertThat(driver.snapshots()).isEmpty();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }
}
