package dev.csijava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetTest {
  private static final String START = "dev.csijava.benchmarks.process.StartMeasure.firstProbe";
  private static final String PUBLISH = "dev.csijava.benchmarks.PublishBenchmark.";
  private static final String RESTART = "dev.csijava.benchmarks.process.RestartMeasure.firstProbe";

  @Test
  void targetIsOpenUntilItIsMeasured() {
    assertThat(Target.judge(List.of()))
        .isNotEmpty()
        .allSatisfy(verdict -> assertThat(verdict.word()).isEqualTo("open"));
  }

  @Test
  void startIsJudgedByItsMedian() {
    assertThat(word("start to first Probe", start(300, 340, 900))).isEqualTo("holds");
    assertThat(word("start to first Probe", start(300, 360, 900))).isEqualTo("misses");
  }

  @Test
  void onlyTheShippedDriverIsJudged() {
    Figure other = Figure.of(START, Map.of("program", "class-path"), "ms", List.of(1.0));
    assertThat(word("start to first Probe", other)).isEqualTo("open");
  }

  @Test
  void ratioNeedsBothSides() {
    Figure programs = publish("byPrograms", 20_000);
    String what = "NodePublish + NodeUnpublish: mount(8) over ours";
    assertThat(word(what, programs)).isEqualTo("open");
    assertThat(word(what, programs, publish("bySystemCalls", 1_000))).isEqualTo("holds");
    assertThat(word(what, programs, publish("bySystemCalls", 1_001))).isEqualTo("misses");
  }

  @Test
  void theMostVolumesThatWereMeasuredCount() {
    List<Target.Verdict> verdicts =
        Target.judge(List.of(restart("10", 100), restart("100000", 6_000), restart("1000", 10)));
    assertThat(verdicts)
        .filteredOn(verdict -> verdict.what().startsWith("restart"))
        .singleElement()
        .satisfies(
            verdict -> {
              assertThat(verdict.what()).contains("100,000");
              assertThat(verdict.word()).isEqualTo("misses");
            });
  }

  @Test
  void newerFigureTakesThePlaceOfTheOlder() throws IOException {
    Results results = new Results();
    results.add(List.of(start(1, 2, 3), publish("byPrograms", 5)));
    results.add(List.of(start(4, 5, 6)));
    assertThat(results.figures()).containsExactly(publish("byPrograms", 5), start(4, 5, 6));
  }

  @Test
  void sampledFigureIsReadAsJmhWritesIt() throws IOException {
    Results results = new Results();
    results.addJson(
        """
        [{"benchmark": "a.B.c", "mode": "sample", "threads": 8, "params": {"p": "x"},
          "primaryMetric": {"score": 5.0, "scoreError": "NaN", "scoreUnit": "us/op",
            "scorePercentiles": {"0.0": 1.0, "50.0": 4.0, "90.0": 9.0, "100.0": 99.0}},
          "secondaryMetrics": {"gc.alloc.rate.norm": {"score": 72.5}}}]
        """);
    Figure figure = results.figures().getFirst();
    assertThat(figure.low()).isEqualTo(1);
    assertThat(figure.median()).isEqualTo(4);
    assertThat(figure.high()).isEqualTo(9);
    assertThat(figure.allocated()).isEqualTo(72.5);
    assertThat(figure.label()).isEqualTo("c, p=x");
  }

  private static String word(String what, Figure... figures) {
    return Target.judge(List.of(figures)).stream()
        .filter(verdict -> verdict.what().equals(what))
        .findFirst()
        .orElseThrow()
        .word();
  }

  private static Figure start(double least, double median, double most) {
    return Figure.of(START, Map.of("program", "shipped"), "ms", List.of(median, most, least));
  }

  private static Figure publish(String method, double micros) {
    return Figure.of(PUBLISH + method, Map.of("node", "SMALL"), "us/op", List.of(micros));
  }

  private static Figure restart(String volumes, double millis) {
    return Figure.of(
        RESTART, Map.of("program", "shipped", "volumes", volumes), "ms", List.of(millis));
  }
}
