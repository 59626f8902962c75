package dev.csijava.benchmarks.report;

import dev.csijava.benchmarks.process.Effort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs one class of benchmarks. */
final class JmhRun {
  private static final int WARM_UPS = 1;
  private static final int ITERATIONS = 3;
  private static final TimeValue LENGTH = TimeValue.milliseconds(300);

  private JmhRun() {}

  /**
   * Runs it; with the least effort in this process, which tells whether it works and no more.
   *
   * @return what JMH writes
   * @throws RunnerException if it fails
   */
  static String run(Question question, Effort effort) throws RunnerException {
    ChainedOptionsBuilder options = options(question);
    switch (effort) {
      case FULL -> {}
      case SHORT -> {
        question.brief().forEach((name, values) -> options.param(name, array(values)));
        options
            .forks(1)
            .warmupIterations(WARM_UPS)
            .warmupTime(LENGTH)
            .measurementIterations(ITERATIONS)
            .measurementTime(LENGTH);
      }
      case ONCE -> {
        question.brief().forEach((name, values) -> options.param(name, array(least(values))));
        options
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1));
      }
    }
    return json(new Runner(options.build()).run());
  }

  /** Of numbers the first, of words all. */
  private static List<String> least(List<String> values) {
    return values.getFirst().matches("[0-9]+") ? values.subList(0, 1) : values;
  }

  private static String[] array(List<String> values) {
    return values.toArray(new String[0]);
  }

  private static ChainedOptionsBuilder options(Question question) {
    // One run at a time has the directory for temporary files to itself, and leaves nothing there.
    System.setProperty("jmh.ignoreLock", "true");
    return new OptionsBuilder()
        .include("\\." + question.name() + "\\.")
        .addProfiler(GCProfiler.class)
        // Not those of this process: some benchmarks must not have all of them.
        .jvmArgs(
            "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"),
            "--sun-misc-unsafe-memory-access=allow")
        .shouldFailOnError(true)
        .verbosity(VerboseMode.SILENT);
  }

  private static String json(Collection<RunResult> results) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ResultFormatFactory.getInstance(
            ResultFormatType.JSON, new PrintStream(bytes, true, StandardCharsets.UTF_8))
        .writeOut(results);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
