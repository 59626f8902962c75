package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Leftovers;
import dev.csijava.hostpath.testing.Loops;
import dev.csijava.hostpath.testing.ServedDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The kit's program against the driver's program, as a vendor runs the two: given all that the kit
 * can be given here, no engine has a reason to be skipped. The cases of single rows are run by
 * ConformanceIT; of them only those that need an option more.
 */
class CheckCommandIT {
  private static final String NAME = "hostpath.csi.k8s.io";
  private static final String ROWS =
      "engine-,GEN-EP-001,GEN-EP-002,GEN-EP-005,GEN-EP-007,GEN-OP-003,GEN-SEC-,NODE-UNPUB-005,"
          + "NODE-PUB-029,CTRL-MODIFY-001";

  @TempDir Path directory = Path.of("set by JUnit");
  private Path root = directory;

  @BeforeEach
  void follow() throws IOException {
    root = directory.toRealPath();
  }

  @AfterEach
  void endTheDriver() throws IOException, InterruptedException {
    if (Files.exists(root.resolve("pid"))) {
      new ProcessBuilder(root.resolve("kill").toString()).start().waitFor();
    }
    Leftovers.clean(root);
  }

  @Test
  void givenEverythingNoEngineIsSkippedAndNothingIsLeft() throws Exception {
    assumeTrue(ServedDriver.canMount(), "bind mounts need root");
    driverScripts();
    startScript();
    startTheDriver();
    Path output = root.resolve("output");
    Process check =
        JavaProcess.of(
                List.of("-Xmx256m"), "dev.csijava.testkit.cli.Main", check().toArray(String[]::new))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      boolean ended = check.waitFor(10, TimeUnit.MINUTES);
      assertThat(ended).as(Files.readString(output)).isTrue();
    } finally {
      check.destroyForcibly();
    }
    String text = Files.readString(output);
    assertThat(check.exitValue()).as(text).isZero();
    assertThat(text)
        .containsPattern("beyond the inventory: [1-9][0-9]* passed, 0 failed, 0 skipped");
    assertThat(text.lines().filter(line -> line.startsWith("skipped  engine-"))).isEmpty();
    for (String row :
        List.of(
            "GEN-EP-001",
            "GEN-EP-005",
            "GEN-EP-007",
            "GEN-OP-003",
            "GEN-SEC-005",
            "NODE-UNPUB-005")) {
      assertThat(text).doesNotContainPattern(" " + row + " skipped:");
    }
    assertThat(root.resolve("report/report.html"))
        .content()
        .contains("engine-crash-node", "it listens at an endpoint of its own");
    assertThat(root.resolve("report/junit.xml")).isNotEmptyFile();
    nothingIsLeft();
  }

  private void startTheDriver() throws IOException, InterruptedException {
    assertThat(new ProcessBuilder(root.resolve("restart").toString()).start().waitFor()).isZero();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    // The shell makes the file in the background.
    while (!Files.exists(root.resolve("log"))
        || !Files.readString(root.resolve("log")).contains("serves unix://")) {
      assertThat(System.nanoTime()).as("the driver starts in time").isLessThan(end);
      Thread.sleep(20);
    }
  }

  private List<String> check() throws IOException {
    List<String> words = new ArrayList<>(List.of("check", "--verbose", "--only", ROWS));
    Map.ofEntries(
            Map.entry("--endpoint", "unix://" + root.resolve("csi.sock")),
            Map.entry("--restart-command", root.resolve("restart").toString()),
            Map.entry("--start-command", root.resolve("start").toString()),
            Map.entry("--kill-command", root.resolve("kill").toString()),
            Map.entry("--pid-file", root.resolve("pid").toString()),
            Map.entry("--log-file", root.resolve("log").toString()),
            Map.entry(
                "--registration-socket", root.resolve("registry/" + NAME + "-reg.sock").toString()),
            Map.entry("--secrets", file("secrets.yaml", "CreateVolumeSecret:\n  user: somebody\n")),
            Map.entry("--parameters", file("parameters.yaml", "backing: directory\n")),
            Map.entry("--mutable-parameters", file("mutable.yaml", "tier: gold\n")),
            Map.entry("--check-path-command", script("look", LOOK)),
            Map.entry("--target-dir", root.resolve("targets").toString()),
            Map.entry("--staging-dir", root.resolve("staging").toString()),
            Map.entry("--command-timeout", "60"),
            Map.entry("--call-timeout", "120"),
            Map.entry("--size", "16Mi"),
            Map.entry("--expand-size", "32Mi"),
            Map.entry("--repetitions", "1"),
            Map.entry("--seed", "11"),
            Map.entry("--report", root.resolve("report").toString()))
        .forEach((option, value) -> words.addAll(List.of(option, value)));
    return words;
  }

  private static final String LOOK =
      """
      if [ -f "$1" ]; then echo file
      elif [ -d "$1" ]; then echo directory
      elif [ -e "$1" ]; then echo other
      else echo not_found; fi
      """;

  /** How the driver is killed, and how it is started again. */
  private void driverScripts() throws IOException {
    Files.createDirectories(root.resolve("registry"));
    script(
        "kill",
        """
        cd "$(dirname "$0")"
        kill -9 "$(cat pid)" 2>/dev/null
        while kill -0 "$(cat pid)" 2>/dev/null; do sleep 0.02; done
        """);
    script(
        "restart",
        """
        cd "$(dirname "$0")"
        test ! -e pid || ./kill
        %s >> log 2>&1 < /dev/null &
        echo $! > pid
        """
            .formatted(
                driver(
                    "--endpoint=unix://" + root.resolve("csi.sock"),
                    "--nodeid=node-1",
                    "--drivername=" + NAME,
                    "--statedir=" + root.resolve("state"),
                    "--rundir=" + root.resolve("run"),
                    "--enable-attach",
                    "--enable-controller-modify-volume",
                    "--accepted-mutable-parameter-names=tier",
                    "--enable-snapshot-metadata",
                    "--kubelet-registration-path=" + root.resolve("csi.sock"),
                    "--plugin-registration-path=" + root.resolve("registry"))));
  }

  /**
   * How one more driver is started. As the Go driver does, it serves in /tmp if it is told nothing
   * else; that is a folder of the test's for that process alone.
   */
  private void startScript() throws IOException {
    Files.createDirectories(root.resolve("private"));
    script(
        "start",
        """
        cd "$(dirname "$0")"
        test -z "$CSI_ENDPOINT" || exec %s
        exec unshare --mount sh -c 'mount --bind private /tmp && exec "$@"' sh %s
        """
            .formatted(
                driver(
                    "--nodeid=node-2",
                    "--statedir=" + root.resolve("started/state"),
                    "--rundir=" + root.resolve("started/run")),
                driver("--nodeid=node-3", "--statedir=/tmp/state", "--rundir=/tmp/run")));
  }

  private static String driver(String... flags) {
    return JavaProcess.of("dev.csijava.hostpath.Main", flags).command().stream()
        .map(word -> "'" + word + "'")
        .collect(Collectors.joining(" "));
  }

  private String script(String name, String text) throws IOException {
    Path file = Files.writeString(root.resolve(name), "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
    return file.toString();
  }

  private String file(String name, String text) throws IOException {
    return Files.writeString(root.resolve(name), text).toString();
  }

  private void nothingIsLeft() throws IOException {
    assertThat(MountTable.read().below(root)).as("mounts").isEmpty();
    assertThat(Loops.below(root)).as("loop devices").isEmpty();
    for (String kind : List.of("volumes", "snapshots", "groups", "pending")) {
      try (Stream<Path> entries = Files.list(root.resolve("state").resolve(kind))) {
        assertThat(entries).as(kind).isEmpty();
      }
    }
    assertThat(root.resolve("private/state")).isDirectory();
    assertThat(root.resolve("targets")).doesNotExist();
    assertThat(root.resolve("staging")).doesNotExist();
  }
}
