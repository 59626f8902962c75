package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that is stopped leaves nothing, whatever was under way at that moment. */
class StoppedRunTest {
  private static final Duration LATE = Duration.ofMillis(600);

  private final CountDownLatch told = new CountDownLatch(1);

  @TempDir Path directory = Path.of("set by JUnit");
  private final FakeDriver driver;

  StoppedRunTest() throws IOException {
    driver = FakeDriver.builder().start();
  }

  @AfterEach
  void close() {
    driver.close();
  }

  @Test
  void waitsForTheAnswersOfCreationsThatAreUnderWay() throws Exception {
    driver.script().on("CreateVolume").every().answerAfter(LATE);
    CountDownLatch busy = new CountDownLatch(1);
    AtomicInteger later = new AtomicInteger();
    RunReport report =
        stopped(
            busy,
            c -> {
              busy.countDown();
              c.make().volume();
              later.incrementAndGet();
              await(told);
              c.make().volume();
              later.incrementAndGet();
            });
    assertThat(later).as("calls after the stop").hasValueLessThan(2);
    assertThat(driver.calls().of("CreateVolume"))
        .as("no call goes out any more")
        .hasSizeLessThan(2);
    nothingIsLeft(report);
    assertThat(report.rows())
        .as("what was broken off is not judged")
        .noneMatch(row -> row.verdict() == Verdict.FAILED);
  }

  @Test
  void aStoppedCaseSendsNothing() throws Exception {
    try (Session session = session(Duration.ofSeconds(20))) {
      session.refuseCalls();
      CaseResult result = session.run(Case.of("CTRL-CREATE-001", c -> c.make().volume()));
      assertThat(result.rows())
          .singleElement()
          .satisfies(row -> assertThat(row.reason()).contains("the run was stopped"));
    }
    assertThat(driver.calls().of("CreateVolume")).isEmpty();
  }

  @Test
  void findsWhatCallersOnOtherThreadsHaveUnderWay() throws Exception {
    driver.script().on("CreateVolume").every().startAfter(LATE);
    CountDownLatch busy = new CountDownLatch(1);
    RunReport report =
        stopped(
            busy,
            c -> {
              busy.countDown();
              c.together(
                  8, () -> c.controller().createVolume(c.requests().volume().build()).getVolume());
              await(told);
            });
    nothingIsLeft(report);
  }

  @Test
  void asksAgainForWhatTheDriverIsStillMaking() throws Exception {
    driver.script().on("CreateVolume").call(1).commitThenFail(Status.Code.UNAVAILABLE, "lost");
    for (int call = 2; call <= 9; call++) {
      driver.script().on("CreateVolume").call(call).fail(Status.Code.ABORTED, "still at it");
    }
    RunReport report =
        run(c -> Outcome.of(() -> c.controller().createVolume(c.requests().volume().build())));
    assertThat(driver.calls().of("CreateVolume")).hasSizeGreaterThan(9);
    nothingIsLeft(report);
  }

  @Test
  void ofTwoCreationsWithOneNameNeitherIsForgotten() throws Exception {
    driver.script().on("CreateVolume").call(1).fail(Status.Code.UNAVAILABLE, "lost");
    driver.script().on("CreateVolume").call(2).commitThenFail(Status.Code.UNAVAILABLE, "lost");
    RunReport report =
        run(
            c -> {
              CreateVolumeRequest.Builder request = c.requests().volume();
              Outcome.of(() -> c.controller().createVolume(request.build()));
              request.getCapacityRangeBuilder().setRequiredBytes(7L << 20).setLimitBytes(7L << 20);
              Outcome.of(() -> c.controller().createVolume(request.build()));
            });
    nothingIsLeft(report);
  }

  @Test
  void beingStoppedTwiceIsBeingStoppedOnce() throws Exception {
    driver.script().on("DeleteVolume").every().answerAfter(LATE);
    CountDownLatch busy = new CountDownLatch(1);
    try (Session session = session(Duration.ofSeconds(20))) {
      ConformanceRun run =
          runOf(
              session,
              c -> {
                c.make().volume();
                c.make().volume();
                busy.countDown();
                new CountDownLatch(1).await();
              });
      Thread user =
          new Thread(
              () -> {
                await(busy);
                run.stop("told to");
                while (driver.calls().of("DeleteVolume").isEmpty()
                    && driver.volumes().size() == 2) {
                  Thread.onSpinWait();
                }
                run.stop("told to once more");
              });
      user.start();
      RunReport report = run.run();
      user.join();
      assertThat(report.broken()).isEqualTo("told to");
      nothingIsLeft(report);
    }
  }

  @Test
  void saysWhatStaysWhenTheDriverDoesNotGiveItBack() throws Exception {
    driver.script().on("DeleteVolume").every().fail(Status.Code.FAILED_PRECONDITION, "in use");
    RunReport report = run(c -> c.make().volume());
    assertThat(report.leftovers())
        .singleElement()
        .asString()
        .startsWith("volume ")
        .contains("could not be removed: FAILED_PRECONDITION: in use");
    assertThat(report.clean()).isFalse();
  }

  @Test
  void givesUpOnADriverThatIsBusyForEver() throws Exception {
    driver.script().on("DeleteVolume").every().fail(Status.Code.ABORTED, "busy");
    long began = System.nanoTime();
    try (Session session = session(Duration.ofSeconds(5))) {
      RunReport report = runOf(session, c -> c.make().volume()).run();
      assertThat(report.leftovers()).singleElement().asString().contains("ABORTED");
      assertThat(session.held()).as("a case that is over").isEmpty();
    }
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(5));
  }

  @Test
  void tellsWhatIsUnderWayBeforeItsEndIsKnown() throws Exception {
    driver.script().on("CreateVolume").every().answerAfter(LATE);
    CountDownLatch busy = new CountDownLatch(1);
    CountDownLatch seen = new CountDownLatch(1);
    try (Session session = session(Duration.ofSeconds(20))) {
      ConformanceRun run =
          runOf(
              session,
              c -> {
                busy.countDown();
                for (int i = 0; seen.getCount() > 0; i++) {
                  String name = "half-made-" + i;
                  c.controller().createVolume(c.requests().volume().setName(name).build());
                }
              });
      Thread runs = new Thread(run::run);
      runs.start();
      await(busy);
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
      while (run.unremoved().stream().noneMatch(held -> held.startsWith("perhaps volume half-made"))
          && System.nanoTime() < end) {
        assertThat(runs.isAlive()).isTrue();
      }
      seen.countDown();
      runs.join();
      assertThat(run.unremoved()).isEmpty();
    }
  }

  private RunReport stopped(CountDownLatch busy, CaseBody body) throws Exception {
    try (Session session = session(Duration.ofSeconds(20))) {
      ConformanceRun run = runOf(session, body);
      Thread user =
          new Thread(
              () -> {
                await(busy);
                sleep(LATE.dividedBy(3));
                run.stop("told to");
                told.countDown();
              });
      user.start();
      RunReport report = run.run();
      user.join();
      assertThat(report.broken()).isEqualTo("told to");
      return report;
    }
  }

  private RunReport run(CaseBody body) throws Exception {
    try (Session session = session(Duration.ofSeconds(20))) {
      return runOf(session, body).run();
    }
  }

  private static ConformanceRun runOf(Session session, CaseBody body) {
    return new ConformanceRun(
        session, List.of(Case.of("CTRL-CREATE-001", body)), new RunListener() {});
  }

  private Session session(Duration callTimeout) {
    return Session.open(
        Settings.forEndpoint(driver.endpoint())
            .targetDirectory(directory.resolve("targets"))
            .stagingDirectory(directory.resolve("staging"))
            .callTimeout(callTimeout)
            .build());
  }

  private void nothingIsLeft(RunReport report) throws IOException {
    assertThat(report.leftovers()).isEmpty();
    assertThat(driver.volumes()).isEmpty();
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
