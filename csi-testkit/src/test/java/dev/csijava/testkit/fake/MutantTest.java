package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.conformance.Case;
import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.Verdict;
import dev.csijava.testkit.fake.Mutant.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The kit catches drivers that break a rule, each by the row that names the rule. What the kit
 * takes for right does not depend on the Java machine, so the oldest one repeats a sample.
 */
class MutantTest {
  /** Drivers that are right, started once each, and a session with each. */
  private static final Map<Config, FakeDriver> RIGHT = new EnumMap<>(Config.class);

  private static final Map<Config, Session> SESSIONS = new EnumMap<>(Config.class);

  /** What the right drivers' sessions found, by configuration and row. */
  private static final Map<String, List<Verdict>> FOUND = new HashMap<>();

  private static final List<String> DETACHING =
      List.of("CTRL-UNPUB-001", "CTRL-UNPUB-003", "CTRL-UNPUB-004", "CTRL-UNPUB-008");

  private static final int SAMPLE_STEP = 6;

  /** The first call of a JVM on a busy machine takes its time. */
  private static final Duration RIGHT_IN = Duration.ofSeconds(30);

  /** Some mutants answer too late, and are waited for. */
  private static final Duration BROKEN_IN = Duration.ofSeconds(3);

  private static final List<Case> CASES = Catalogue.cases();

  @TempDir static Path directory = Path.of("set by JUnit");

  static Stream<Mutant> mutants() {
    return Stream.of(
            NodeMutants.all(),
            NodeReportMutants.all(),
            GroupMutants.all(),
            MetadataMutants.all(),
            GeneralMutants.all(),
            CapabilityMutants.all(),
            CreateMutants.all(),
            HarmMutants.all(),
            HealthMutants.all(),
            ControllerMutants.all(),
            AttachMutants.all(),
            SnapshotMutants.all(),
            ListingMutants.all())
        .flatMap(Collection::stream);
  }

  static Stream<Mutant> mutantsToRun() {
    List<Mutant> all = mutants().toList();
    int step = Runtime.version().feature() >= 25 ? 1 : SAMPLE_STEP;
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get);
  }

  @AfterAll
  static void stop() {
    SESSIONS.values().forEach(Session::close);
    RIGHT.values().forEach(FakeDriver::close);
    SESSIONS.clear();
    RIGHT.clear();
    FOUND.clear();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutantsToRun")
  void isCaughtByItsRow(Mutant mutant) throws IOException {
    Session right = right(mutant.config());
    assertThat(
            FOUND.computeIfAbsent(
                mutant.config() + " " + mutant.row(),
                key -> verdicts(right, mutant.row()).toList()))
        .as("the driver that is right")
        .contains(Verdict.PASSED)
        .doesNotContain(Verdict.FAILED);
    try (FakeDriver broken = mutant.config().builder().deviation(mutant.deviation().get()).start();
        Session session = session(broken, mutant.config(), BROKEN_IN)) {
      assertThat(verdicts(session, mutant.row()).anyMatch(Verdict.FAILED::equals))
          .as("the mutant is caught")
          .isTrue();
    }
  }

  @Test
  void thereAreSixtyMutantsAtLeast() {
    assertThat(mutants().count()).isGreaterThanOrEqualTo(60);
    assertThat(mutants().map(Mutant::toString)).doesNotHaveDuplicates();
  }

  /** What is wrong with one of these rows is said of that one only. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("detaching")
  void isCaughtByItsRowAlone(Mutant mutant) throws IOException {
    try (FakeDriver broken = FakeDriver.builder().deviation(mutant.deviation().get()).start();
        Session session = session(broken, mutant.config(), BROKEN_IN)) {
      for (String row : DETACHING) {
        assertThat(verdicts(session, row).anyMatch(Verdict.FAILED::equals))
            .as(row)
            .isEqualTo(row.equals(mutant.row()));
      }
    }
  }

  static Stream<Mutant> detaching() {
    return mutants()
        .filter(mutant -> DETACHING.contains(mutant.row()))
        .filter(mutant -> !mutant.fault().contains("detaches nothing"))
        .filter(mutant -> !mutant.fault().contains("and has not"));
  }

  private static Session right(Config config) throws IOException {
    Session known = SESSIONS.get(config);
    if (known != null) {
      return known;
    }
    FakeDriver driver = config.builder().start();
    RIGHT.put(config, driver);
    Session session = session(driver, config, RIGHT_IN);
    SESSIONS.put(config, session);
    return session;
  }

  private static Session session(FakeDriver driver, Config config, Duration callTimeout) {
    return Session.open(
        config
            .told(
                Settings.forEndpoint(driver.endpoint())
                    .targetDirectory(directory.resolve("targets"))
                    .stagingDirectory(directory.resolve("staging"))
                    .mutableParameters(Map.of("iops", "100", "throughput", "7"))
                    .secondNodeId("fake-node-2")
                    .callTimeout(callTimeout)
                    .repetitions(3))
            .build());
  }

  /** One case after the other, as far as they are asked for. */
  private static Stream<Verdict> verdicts(Session session, String row) {
    return CASES.stream()
        .filter(tested -> tested.rows().stream().anyMatch(one -> one.id().equals(row)))
        .flatMap(tested -> session.run(tested).rows().stream())
        .filter(result -> result.row().equals(row))
        .map(RowResult::verdict);
  }
}
