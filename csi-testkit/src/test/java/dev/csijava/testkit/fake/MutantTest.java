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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit catches drivers that break a rule, each by the row that names the rule. */
class MutantTest {
  /** Drivers that are right, started once. */
  private static final Map<Config, FakeDriver> RIGHT = new EnumMap<>(Config.class);

  private static final List<Case> CASES = Catalogue.cases();

  @TempDir Path directory = Path.of("set by JUnit");

  static Stream<Mutant> mutants() {
    return Stream.of(
            NodeMutants.all(),
            NodeReportMutants.all(),
            GroupMutants.all(),
            MetadataMutants.all(),
            HealthMutants.all(),
            ControllerMutants.all())
        .flatMap(Collection::stream);
  }

  @AfterAll
  static void stop() {
    RIGHT.values().forEach(FakeDriver::close);
    RIGHT.clear();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mutants")
  void isCaughtByItsRow(Mutant mutant) throws IOException {
    assertThat(verdicts(right(mutant.config()), mutant.row()))
        .as("the driver that is right")
        .contains(Verdict.PASSED)
        .doesNotContain(Verdict.FAILED);
    try (FakeDriver broken =
        mutant.config().builder().deviation(mutant.deviation().get()).start()) {
      assertThat(verdicts(broken, mutant.row())).as("the mutant").contains(Verdict.FAILED);
    }
  }

  @Test
  void thereAreSixtyMutantsAtLeast() {
    assertThat(mutants().count()).isGreaterThanOrEqualTo(60);
    assertThat(mutants().map(Mutant::toString)).doesNotHaveDuplicates();
  }

  private static FakeDriver right(Config config) throws IOException {
    FakeDriver driver = RIGHT.get(config);
    if (driver == null) {
      driver = config.builder().start();
      RIGHT.put(config, driver);
    }
    return driver;
  }

  private List<Verdict> verdicts(FakeDriver driver, String row) {
    Settings settings =
        Settings.forEndpoint(driver.endpoint())
            .targetDirectory(directory.resolve("targets"))
            .stagingDirectory(directory.resolve("staging"))
            .mutableParameters(Map.of("iops", "100"))
            .secondNodeId("fake-node-2")
            .callTimeout(Duration.ofSeconds(3))
            .repetitions(3)
            .build();
    try (Session session = Session.open(settings)) {
      List<Verdict> verdicts =
          CASES.stream()
              .filter(tested -> tested.rows().stream().anyMatch(one -> one.id().equals(row)))
              .flatMap(tested -> session.run(tested).rows().stream())
              .filter(result -> result.row().equals(row))
              .map(RowResult::verdict)
              .toList();
      session.removeAll();
      return verdicts;
    }
  }
}
