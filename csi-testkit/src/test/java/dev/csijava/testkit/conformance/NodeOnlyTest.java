package dev.csijava.testkit.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.testkit.fake.FakeDriver;
import dev.csijava.testkit.fake.FakeDriverBuilder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Drivers without a controller, whose volumes stand in pods' manifests. */
class NodeOnlyTest {
  private static final List<String> ROWS =
      List.of("NODE-PUB-", "NODE-UNPUB-", "NODE-STATS-", "GEN-LIFE-");

  @TempDir Path directory = Path.of("set by JUnit");

  private static FakeDriverBuilder nodeOnly() {
    return FakeDriver.builder().without(PluginCapability.Service.Type.CONTROLLER_SERVICE);
  }

  private RunReport run(FakeDriverBuilder builder, boolean attributes) throws IOException {
    try (FakeDriver driver = builder.start()) {
      SettingsBuilder settings =
          Settings.forEndpoint(driver.endpoint())
              .targetDirectory(directory.resolve("targets"))
              .stagingDirectory(directory.resolve("staging"))
              .only(ROWS);
      if (attributes) {
        settings.inlineAttributes(Map.of("example.com/size", "1Gi"));
      }
      try (Session session = Session.open(settings.build())) {
        return new ConformanceRun(session, Catalogue.cases(), new RunListener() {}).run();
      }
    }
  }

  private static Set<String> rows(RunReport report, Verdict verdict) {
    Set<String> ids = new TreeSet<>();
    report.rows().stream()
        .filter(row -> row.verdict() == verdict)
        .forEach(row -> ids.add(row.requirement().id()));
    return ids;
  }

  @Test
  void areLookedAtGivenTheAttributesOfAVolume() throws IOException {
    RunReport report = run(nodeOnly(), true);
    assertThat(rows(report, Verdict.FAILED)).isEmpty();
    assertThat(report.leftovers()).isEmpty();
    assertThat(rows(report, Verdict.PASSED))
        .contains("NODE-PUB-001", "NODE-PUB-009", "NODE-PUB-010", "NODE-PUB-026", "NODE-PUB-028")
        .contains("NODE-UNPUB-001", "NODE-UNPUB-005", "NODE-UNPUB-006", "NODE-UNPUB-011")
        .contains("NODE-STATS-001", "NODE-STATS-004", "NODE-STATS-008", "GEN-LIFE-006")
        // A pod's volume is whatever the request says, so none of its kind is unknown.
        .doesNotContain("NODE-PUB-005", "NODE-PUB-033")
        .hasSizeGreaterThan(25);
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void areSkippedWithoutThemAndItIsSaidWhatIsMissing() throws IOException {
    RunReport report = run(nodeOnly(), false);
    assertThat(rows(report, Verdict.FAILED)).isEmpty();
    assertThat(report.rows())
        .filteredOn(row -> row.requirement().id().equals("NODE-PUB-001"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.verdict()).isEqualTo(Verdict.SKIPPED);
              assertThat(row.reason() + row.results()).contains("--inline-attributes");
            });
  }

  /** What such a driver must do wrong to be caught. */
  @Test
  void failIfTheyTakeNoVolumesOfPods() throws IOException {
    assertThat(rows(run(nodeOnly().inlineVolumes(false), true), Verdict.FAILED))
        .contains("NODE-PUB-001", "NODE-UNPUB-001", "NODE-STATS-001");
  }
}
