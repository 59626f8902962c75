package dev.csijava.benchmarks.process;

import dev.csijava.benchmarks.FilledState;
import dev.csijava.benchmarks.report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How long does a start take, to the first Probe, and how much memory is kept then, by the number
 * of volumes? Their records are in the page cache.
 *
 * <pre>bin/bench RestartMeasure</pre>
 */
final class RestartMeasure implements WholeProcess {
  private static final List<Integer> VOLUMES = List.of(10, 1_000, 10_000, 100_000);
  private static final List<Integer> FEWER = List.of(10, 10_000);
  private static final List<Integer> FEWEST = List.of(10);
  private static final int STARTS = 5;
  private static final int FEW = 2;

  @Override
  public List<Figure> run(DriverPrograms programs, Effort effort, Consumer<String> say)
      throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    for (int volumes : effort.choose(VOLUMES, FEWER, FEWEST)) {
      Path state = Files.createTempDirectory("csi-benchmark").toRealPath();
      try {
        FilledState.fill(state, volumes);
        for (Program program : programs.ours()) {
          measure(program, state, volumes, effort.choose(STARTS, FEW, 1), figures);
        }
      } finally {
        Trees.delete(state);
      }
    }
    return figures;
  }

  private static void measure(
      Program program, Path state, int volumes, int starts, List<Figure> figures)
      throws IOException, InterruptedException {
    List<Double> millis = new ArrayList<>();
    List<Double> memory = new ArrayList<>();
    for (int i = 0; i < starts; i++) {
      try (RunningDriver driver = RunningDriver.start(program, state, List.of())) {
        millis.add(driver.millis());
        memory.add(driver.memory());
      }
    }
    String name = RestartMeasure.class.getName();
    Map<String, String> params =
        Map.of("program", program.name(), "volumes", Integer.toString(volumes));
    figures.add(Figure.of(name + ".firstProbe", params, "ms", millis));
    figures.add(Figure.of(name + ".memory", params, "MiB", memory));
  }
}
