package dev.csijava.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every benchmark runs once, as little as can be, so that none is broken. As {@code bin/bench} does
 * it: in namespaces of its own, so that nothing outlives a failure.
 */
class BenchmarksIT {
  @TempDir private Path directory = Path.of("");

  @Test
  void eachBenchmarkRunsAndItsResultsBecomeAPage() throws IOException, InterruptedException {
    assumeTrue(
        Objects.equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"), 0),
        "benchmarks mount, which needs root");
    Path json = directory.resolve("results.json");
    Path log = directory.resolve("log");
    Process bench =
        new ProcessBuilder(command(json))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(bench.waitFor()).as(() -> words(log)).isZero();
    } finally {
      bench.destroyForcibly().waitFor();
    }
    assertThat(directory)
        .isDirectoryNotContaining("regex:.*/(csi-benchmark|csi-node).*")
        .isDirectoryContaining("glob:**/results.html");
    List<Figure> figures = Results.read(json).figures();
    for (Question question : Question.ALL) {
      assertThat(figures).as(question.name()).anyMatch(f -> f.question().equals(question.name()));
    }
    assertThatTargetsAreFound(figures);
    String page = Files.readString(directory.resolve("results.html"));
    figures.forEach(figure -> assertThat(page).contains(figure.label()));
    assertThat(page).contains("<svg").doesNotContain("<script", "src=", "href=");
  }

  /** What only a full run has stays open, and nothing else. */
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

  private List<String> command(Path json) throws IOException {
    Path launcher = Path.of("../bin/csi-hostpath").toRealPath();
    List<String> command =
        new ArrayList<>(
            List.of("unshare", "--mount", "--propagation", "private", "--pid", "--fork"));
    command.addAll(List.of("--kill-child", "--mount-proc", "--"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "--enable-native-access=ALL-UNNAMED"));
    command.add("--sun-misc-unsafe-memory-access=allow");
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(List.of("-cp", classPath(), Bench.class.getName()));
    command.addAll(List.of("--once", "--json", json.toString(), "--shipped", launcher.toString()));
    command.addAll(List.of("--peer", peer(launcher).toString()));
    return command;
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** The same driver once more, in the part of another one. */
  private Path peer(Path launcher) throws IOException {
    Path peer = directory.resolve("peer");
    Path run = directory.resolve("run");
    Files.writeString(peer, "#!/bin/sh\nexec '" + launcher + "' --rundir='" + run + "' \"$@\"\n");
    Files.setPosixFilePermissions(peer, PosixFilePermissions.fromString("rwx------"));
    return peer;
  }

  private static String words(Path log) {
    try {
      return new String(Files.readAllBytes(log), StandardCharsets.UTF_8);
    } catch (IOException e) {
      return "its log can't be read: " + e;
    }
  }
}
