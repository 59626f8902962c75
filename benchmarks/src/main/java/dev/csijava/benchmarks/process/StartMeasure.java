package dev.csijava.benchmarks.process;

import dev.csijava.benchmarks.report.Figure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * How long does it take from the start of a process to the first Probe that succeeds, without any
 * volume? The first start only fills the page cache and is not counted.
 *
 * <pre>bin/bench StartMeasure</pre>
 */
final class StartMeasure implements WholeProcess {
  private static final int STARTS = 15;
  private static final int FEW = 4;

  @Override
  public List<Figure> run(DriverPrograms programs, Effort effort, Consumer<String> say)
      throws IOException, InterruptedException {
    List<Figure> figures = new ArrayList<>();
    for (Program program : programs.drivers()) {
      List<Double> millis = new ArrayList<>();
      for (int i = 0; i <= effort.choose(STARTS, FEW, 1); i++) {
        Path state = Files.createTempDirectory("csi-benchmark");
        try (RunningDriver driver = RunningDriver.start(program, state, List.of())) {
          if (i > 0) {
            millis.add(driver.millis());
          }
        } finally {
          Trees.delete(state);
        }
      }
      figures.add(
          Figure.of(
              StartMeasure.class.getName() + ".firstProbe",
              Map.of("program", program.name()),
              "ms",
              millis));
    }
    if (figures.isEmpty()) {
      say.accept("   no driver to start was given");
    }
    return figures;
  }
}
