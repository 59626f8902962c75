package dev.csijava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.benchmarks.process.DriverPrograms;
import dev.csijava.benchmarks.process.Effort;
import dev.csijava.benchmarks.process.WholeProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openjdk.jmh.runner.RunnerException;

/** Every benchmark runs once, as little as can be, so that none is broken. */
class BenchmarksIT {
  @TempDir private Path directory = Path.of("");

  @BeforeAll
  static void needRoot() throws IOException {
    assumeTrue(
        Objects.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"), 0),
        "benchmarks mount, which needs root");
  }

  @Test
  void eachBenchmarkRunsAndItsResultsBecomeAPage()
      throws IOException, InterruptedException, RunnerException {
    Results results = new Results();
    for (Question question : Question.ALL) {
      Results of = new Results();
      if (question.whole()) {
        of.add(
            WholeProcess.named(question.name()).run(programs(), Effort.ONCE, System.out::println));
      } else {
        of.addJson(JmhRun.run(question, Effort.ONCE));
      }
      assertThat(of.figures())
          .as(question.name())
          .isNotEmpty()
          .allSatisfy(figure -> assertThat(figure.question()).isEqualTo(question.name()));
      results.add(of);
    }
    assertThatTargetsAreFound(results.figures());
    Path json = directory.resolve("results.json");
    results.write(json);
    List<Figure> read = Results.read(json).figures();
    assertThat(read).isEqualTo(results.figures());
    String page = Page.of(read, "a machine");
    read.forEach(figure -> assertThat(page).contains(figure.label()));
    assertThat(page).contains("<svg").doesNotContain("<script", "src=", "href=");
  }

  /** What a full run has and the least effort has not stays open. */
  private static void assertThatTargetsAreFound(List<Figure> figures) {
    Set<String> open = new TreeSet<>();
    for (Target.Verdict verdict : Target.judge(figures)) {
      if (verdict.word().equals("open")) {
        open.add(verdict.what());
      }
    }
    assertThat(open)
        .containsExactlyInAnyOrder(
            "the same: 10,000 mounts over 10",
            "the same: 100,000 volumes over 10",
            "memory after 100,000 calls");
  }

  /** The driver from jars in all parts, also in that of a peer. */
  private DriverPrograms programs() throws IOException {
    Path launcher = Path.of("../bin/csi-hostpath").toRealPath();
    List<String> lines = new ArrayList<>(List.of("#!/bin/sh"));
    lines.add("exec '" + launcher + "' --rundir='" + directory.resolve("run") + "' \"$@\"");
    Path peer = directory.resolve("peer");
    if (Files.notExists(peer)) {
      Files.write(peer, lines);
      Files.setPosixFilePermissions(peer, PosixFilePermissions.fromString("rwx------"));
    }
    return DriverPrograms.NONE.withShipped(Optional.of(launcher)).withPeer(Optional.of(peer));
  }
}
