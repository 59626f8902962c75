package dev.csijava.benchmarks.report;

import dev.csijava.benchmarks.process.Effort;
import dev.csijava.benchmarks.process.WholeProcess;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.openjdk.jmh.runner.RunnerException;

/** The program behind {@code bin/bench}. */
public final class Bench {
  private static final int FAILED = 1;
  private static final int WRONG_FLAGS = 2;

  private final Arguments arguments;
  private final PrintStream out;
  private final List<String> failed = new ArrayList<>();

  private Bench(Arguments arguments, PrintStream out) {
    this.arguments = arguments;
    this.out = out;
  }

  /** The exit status is 1 if a benchmark failed, 2 for a wrong flag. */
  public static void main(String[] words) throws IOException, InterruptedException {
    if (List.of(words).contains("--help")) {
      System.out.println(Arguments.HELP);
      return;
    }
    try {
      System.exit(new Bench(Arguments.parse(List.of(words)), System.out).run());
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.exit(WRONG_FLAGS);
    }
  }

  private int run() throws IOException, InterruptedException {
    Results results = Results.read(arguments.json());
    if (arguments.list()) {
      Question.ALL.forEach(question -> out.println(question.name() + "  " + question.words()));
      return 0;
    }
    if (arguments.targets()) {
      targets(results.figures());
      return 0;
    }
    String machine = machine();
    boolean root = Objects.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"), 0);
    for (Question question : arguments.questions()) {
      if (question.root() && !root) {
        out.println("== " + question.name() + " is left out: it needs root, for it mounts");
        continue;
      }
      measure(question, results);
      results.write(arguments.json());
      Files.writeString(arguments.page(), Page.of(results.figures(), machine));
    }
    out.println();
    targets(results.figures());
    out.println();
    out.println("results: " + arguments.json() + ", page: " + arguments.page());
    failed.forEach(name -> out.println("FAILED: " + name));
    return failed.isEmpty() ? 0 : FAILED;
  }

  private void measure(Question question, Results results)
      throws IOException, InterruptedException {
    out.println("== " + question.name() + ": " + question.words());
    long began = System.nanoTime();
    Results fresh = new Results();
    try {
      if (question.whole()) {
        fresh.add(
            WholeProcess.named(question.name())
                .run(arguments.programs(), arguments.effort(), out::println));
      } else {
        fresh.addJson(JmhRun.run(question, arguments.effort()));
      }
    } catch (RunnerException | IOException | IllegalStateException e) {
      out.println("failed: " + e);
      failed.add(question.name());
      return;
    }
    for (Figure figure : fresh.figures()) {
      out.printf(
          Locale.ROOT,
          "   %-62s %14s   least %s%n",
          figure.label(),
          Numbers.of(figure.median(), figure.unit()),
          Numbers.of(figure.low(), figure.unit()));
    }
    results.add(fresh);
    out.printf(Locale.ROOT, "   took %.0f s%n", (System.nanoTime() - began) / 1e9);
  }

  private void targets(List<Figure> figures) {
    out.println("| what | target | measured | |\n|---|---|---|---|");
    for (Target.Verdict verdict : Target.judge(figures)) {
      out.println(
          "| "
              + String.join(" | ", verdict.what(), verdict.wanted(), verdict.seen(), verdict.word())
              + " |");
    }
  }

  private String machine() throws IOException {
    String load = Files.readString(Path.of("/proc/loadavg")).split(" ", -1)[0];
    return String.format(
        Locale.ROOT,
        "%s, Java %s, Linux %s, %s, %d processors, load %s at the beginning%s",
        Instant.now().truncatedTo(ChronoUnit.SECONDS),
        Runtime.version(),
        System.getProperty("os.version"),
        System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors(),
        load,
        arguments.effort() == Effort.FULL ? "" : "; quick and rough");
  }
}
