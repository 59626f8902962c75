package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.testkit.conformance.Catalogue;
import dev.csijava.testkit.conformance.RowResult;
import dev.csijava.testkit.conformance.Session;
import dev.csijava.testkit.conformance.Settings;
import dev.csijava.testkit.conformance.SettingsBuilder;
import dev.csijava.testkit.conformance.Verdict;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The kit holds nothing against drivers that choose what the specification lets them choose. */
class OtherChoicesTest {
  private static final int SAMPLE_STEP = 6;

  @TempDir Path directory = Path.of("set by JUnit");

  /** As with mutants, the oldest Java machine repeats a sample. */
  static Stream<Mutant> choices() {
    List<Mutant> all = OtherChoices.all();
    int step = Runtime.version().feature() >= 25 ? 1 : SAMPLE_STEP;
    return IntStream.range(0, all.size()).filter(i -> i % step == 0).mapToObj(all::get);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("choices")
  void isNotHeldAgainstADriver(Mutant choice) throws IOException {
    try (FakeDriver driver = choice.config().builder().deviation(choice.deviation().get()).start();
        Session session = Session.open(choice.config().told(about(driver.endpoint())).build())) {
      List<RowResult> found =
          Catalogue.cases().stream()
              .filter(one -> one.rows().stream().anyMatch(row -> row.id().equals(choice.row())))
              .flatMap(one -> session.run(one).rows().stream())
              .filter(result -> result.row().equals(choice.row()))
              .toList();
      assertThat(found)
          .isNotEmpty()
          .allSatisfy(
              result ->
                  assertThat(result.verdict())
                      .as("%s expected %s, came %s", result.row(), result.expected(), result.came())
                      .isNotEqualTo(Verdict.FAILED));
    }
  }

  @Test
  void theNameOfTheSocketIsNotTheDriversToChoose() throws IOException {
    Path socket = directory.resolve("csi.socket");
    try (FakeDriver driver = FakeDriver.builder().start(socket);
        Session session = Session.open(about("unix://" + socket).build())) {
      assertThat(driver.volumes()).isEmpty();
      assertThat(
              Catalogue.cases().stream()
                  .filter(one -> one.id().equals("GEN-EP-004"))
                  .flatMap(one -> session.run(one).rows().stream()))
          .singleElement()
          .satisfies(row -> assertThat(row.verdict()).isEqualTo(Verdict.SKIPPED));
    }
  }

  private SettingsBuilder about(String endpoint) {
    return Settings.forEndpoint(endpoint)
        .targetDirectory(directory.resolve("targets"))
        .stagingDirectory(directory.resolve("staging"))
        .mutableParameters(Map.of("iops", "100", "throughput", "7"))
        .callTimeout(Duration.ofSeconds(20))
        .repetitions(2)
        .seed(7);
  }
}
