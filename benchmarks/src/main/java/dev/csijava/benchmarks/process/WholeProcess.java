package dev.csijava.benchmarks.process;

import dev.csijava.benchmarks.report.Figure;
import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;

/** A question about a driver as a process. */
public interface WholeProcess {
  /**
   * Starts drivers and measures them; leaves none behind. Needs root. Blocks until it is done.
   *
   * @param programs the drivers; nothing is measured of those that are not given
   * @param effort how much is done
   * @param say takes lines for people while this lasts
   * @throws IOException if a driver can't be started
   * @throws IllegalStateException with a sentence if one does not do its work
   */
  List<Figure> run(DriverPrograms programs, Effort effort, Consumer<String> say)
      throws IOException, InterruptedException;

  /**
   * The one with this name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static WholeProcess named(String name) {
    return switch (name) {
      case "StartMeasure" -> new StartMeasure();
      case "MemoryMeasure" -> new MemoryMeasure();
      case "RestartMeasure" -> new RestartMeasure();
      case "VersusMeasure" -> new VersusMeasure();
      default -> throw new IllegalArgumentException("there is no " + name);
    };
  }
}
