package dev.csijava.benchmarks.process;

import dev.csijava.benchmarks.report.Figure;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.client.DriverEndpoint;
import dev.csijava.testkit.load.DriverFigures;
import dev.csijava.testkit.load.LoadResult;
import dev.csijava.testkit.load.LoadRun;
import dev.csijava.testkit.load.LoadSettings;
import dev.csijava.testkit.load.LoadWork;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * How do the shipped driver and a peer compare on the same calls, called in turn? The same as
 * {@code bin/csi load --versus}, which takes any two drivers that run already.
 *
 * <pre>bin/bench VersusMeasure --peer PROGRAM</pre>
 */
final class VersusMeasure implements WholeProcess {
  private static final Duration LONG = Duration.ofSeconds(10);
  private static final Duration SHORT = Duration.ofSeconds(2);
  private static final Duration ONCE = Duration.ofMillis(100);
  private static final int VOLUMES = 10;
  private static final double NINE_IN_TEN = 90;

  @Override
  public List<Figure> run(DriverPrograms programs, Effort effort, Consumer<String> say)
      throws IOException, InterruptedException {
    Optional<Program> other = programs.other();
    if (programs.ours().isEmpty() || other.isEmpty()) {
      say.accept("   two drivers are needed; give --peer PROGRAM");
      return List.of();
    }
    Program ours = programs.ours().getFirst();
    Path states = Files.createTempDirectory("csi-benchmark").toRealPath();
    Path first = Files.createDirectory(states.resolve("first"));
    Path second = Files.createDirectory(states.resolve("second"));
    try (RunningDriver one = RunningDriver.start(ours, first, List.of());
        RunningDriver two = RunningDriver.start(other.get(), second, List.of())) {
      List<Figure> figures = new ArrayList<>();
      for (LoadWork work :
          List.of(LoadWork.PUBLISH, LoadWork.CREATE, LoadWork.STATS, LoadWork.PROBE)) {
        LoadResult result =
            new LoadRun(
                    settings(work, effort.choose(LONG, SHORT, ONCE)),
                    List.of(
                        DriverEndpoint.parse("unix://" + one.socket()),
                        DriverEndpoint.parse("unix://" + two.socket())))
                .run();
        if (!result.clean()) {
          throw new IllegalStateException("a driver failed at " + work + ": " + result.broken());
        }
        add(figures, ours, result.drivers().get(0));
        add(figures, other.get(), result.drivers().get(1));
      }
      return figures;
    } finally {
      Trees.delete(states);
    }
  }

  private static LoadSettings settings(LoadWork work, Duration duration) {
    return new LoadSettings(
        work,
        VOLUMES,
        1,
        duration,
        duration.dividedBy(2),
        false,
        16 << 20,
        VolumeCapability.newBuilder()
            .setMount(VolumeCapability.MountVolume.getDefaultInstance())
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder()
                    .setMode(VolumeCapability.AccessMode.Mode.SINGLE_NODE_WRITER))
            .build(),
        Map.of(),
        Map.of(),
        Optional.empty(),
        Duration.ofMinutes(1));
  }

  private static void add(List<Figure> figures, Program program, DriverFigures driver) {
    driver
        .calls()
        .forEach(
            (rpc, calls) ->
                figures.add(
                    new Figure(
                        VersusMeasure.class.getName()
                            + "."
                            + rpc.title().substring(0, 1).toLowerCase(Locale.ROOT)
                            + rpc.title().substring(1),
                        1,
                        new TreeMap<>(Map.of("program", program.name())),
                        "us",
                        micros(calls.percentile(50)),
                        micros(calls.percentile(0)),
                        micros(calls.percentile(NINE_IN_TEN)),
                        -1)));
  }

  private static double micros(long nanos) {
    return nanos / 1e3;
  }
}
