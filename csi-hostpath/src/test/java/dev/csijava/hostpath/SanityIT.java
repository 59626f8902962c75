package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.csijava.core.mount.MountTable;
import dev.csijava.hostpath.testing.JavaProcess;
import dev.csijava.hostpath.testing.Loops;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The public Go conformance tool, csi-sanity, against the driver as a process, with attach, limits
 * and attributes on and every optional file given: no failure, and no skip that is not on the list
 * beside this test.
 */
class SanityIT {
  /** What its volumes are. */
  enum Kind {
    DIRECTORY("1.12", "mount", "note: made"),
    IMAGE("1.12", "mount", "backing: image"),
    BLOCK("1.12", "block", "note: made"),
    DIRECTORY_OF_CSI_1_13("1.13", "mount", "note: made");

    private final String version;
    private final String accessType;
    private final String parameter;

    Kind(String version, String accessType, String parameter) {
      this.version = version;
      this.accessType = accessType;
      this.parameter = parameter;
    }
  }

  private static final String[] SECRETS = {
    "CreateVolumeSecret",
    "DeleteVolumeSecret",
    "ControllerPublishVolumeSecret",
    "ControllerUnpublishVolumeSecret",
    "ControllerValidateVolumeCapabilitiesSecret",
    "NodeStageVolumeSecret",
    "NodePublishVolumeSecret",
    "CreateSnapshotSecret",
    "DeleteSnapshotSecret",
    "ControllerExpandVolumeSecret",
    "ListSnapshotsSecret"
  };

  @TempDir private Path directory;
  private @Nullable Process driver;

  @BeforeEach
  void requireTools() throws Exception {
    assumeThat(sanity()).as("csi-sanity is not installed; bin/verify installs it").isNotNull();
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        .as("mounting needs root")
        .isEqualTo(0);
  }

  private void start(Kind kind) throws Exception {
    Process process =
        JavaProcess.of(
                Main.class.getName(),
                "--endpoint=unix://" + socket(),
                "--nodeid=sanity-node",
                "--csi-version=" + kind.version,
                "--statedir=" + directory.resolve("state"),
                "--rundir=" + directory.resolve("run"),
                "--enable-attach",
                "--attach-limit=5",
                "--enable-controller-modify-volume",
                "--accepted-mutable-parameter-names=tier")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("driver.log").toFile())
            .start();
    driver = process;
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!log("driver.log").contains("serves unix:")) {
      assertThat(process.isAlive()).as(() -> log("driver.log")).isTrue();
      assertThat(System.nanoTime()).as(() -> log("driver.log")).isLessThan(deadline);
      Thread.sleep(20);
    }
  }

  /** SIGTERM ends the driver in time and takes its socket away. */
  @AfterEach
  void stopDriver() throws Exception {
    if (driver == null) {
      return;
    }
    driver.destroy();
    boolean ended = driver.waitFor(30, TimeUnit.SECONDS);
    if (!ended) {
      driver.destroyForcibly().waitFor();
    }
    assertThat(ended).as("SIGTERM ends the driver").isTrue();
    assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).as("the socket").isFalse();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void csiSanityFailsNothingAndSkipsOnlyWhatIsKnown(Kind kind) throws Exception {
    start(kind);
    judge(kind, run(kind, ""));
  }

  /** Each group of cases meets a driver that was killed and started again just before. */
  @Test
  void itPassesThoughTheDriverIsKilledBetweenTheCases() throws Exception {
    start(Kind.DIRECTORY);
    SanityReport all = SanityReport.empty();
    for (String group : groups()) {
      Process process = Objects.requireNonNull(driver);
      process.destroyForcibly().waitFor();
      start(Kind.DIRECTORY);
      all.addAll(run(Kind.DIRECTORY, group));
    }
    judge(Kind.DIRECTORY, all);
  }

  private void judge(Kind kind, SanityReport report) throws IOException {
    assertThat(report.failed()).isEmpty();
    assertThat(report.passed()).as("cases that passed").hasSizeGreaterThanOrEqualTo(92);
    Set<String> known = lines("csi-sanity-skips.txt");
    boolean newer = kind.version.equals("1.13");
    known.addAll(lines(newer ? "csi-sanity-faults.txt" : "csi-sanity-skips-1.12.txt"));
    assertThat(report.skipped()).containsExactlyInAnyOrderElementsOf(known);
    nothingIsLeft();
  }

  /**
   * @param focus a regular expression of the cases that are run; empty for all
   */
  private SanityReport run(Kind kind, String focus) throws Exception {
    Path report = directory.resolve("sanity.xml");
    List<String> command =
        new ArrayList<>(
            List.of(
                Objects.requireNonNull(sanity()).toString(),
                "--csi.endpoint=" + socket(),
                "--csi.mountdir=" + directory.resolve("target"),
                "--csi.stagingdir=" + directory.resolve("staging"),
                "--csi.testvolumeaccesstype=" + kind.accessType,
                "--csi.testnodevolumeattachlimit=true",
                "--csi.secrets=" + secrets(),
                "--csi.testvolumeparameters=" + yaml("volume", kind.parameter),
                "--csi.testvolumemutableparameters=" + yaml("mutable", "tier: gold"),
                "--csi.testsnapshotparameters=" + yaml("snapshot", "ignoreFailedRead: \"false\""),
                "--ginkgo.no-color",
                "--ginkgo.junit-report=" + report));
    if (!focus.isEmpty()) {
      command.add("--ginkgo.focus=" + focus);
    }
    if (kind.version.equals("1.13")) {
      for (String fault : lines("csi-sanity-faults.txt")) {
        command.add("--ginkgo.skip=" + Pattern.quote(fault));
      }
    }
    Process run =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("sanity.log").toFile())
            .start();
    boolean ended = run.waitFor(4, TimeUnit.MINUTES);
    if (!ended) {
      run.destroyForcibly().waitFor();
    }
    assertThat(ended).as("csi-sanity ends").isTrue();
    assertThat(run.exitValue()).as(() -> log("sanity.log")).isZero();
    return SanityReport.read(report);
  }

  private Path yaml(String name, String line) throws IOException {
    return Files.writeString(directory.resolve(name + ".yaml"), line + System.lineSeparator());
  }

  private Path secrets() throws IOException {
    StringBuilder text = new StringBuilder();
    for (String section : SECRETS) {
      text.append(section).append(":\n  password: not-that-secret\n");
    }
    return yaml("secrets", text.toString());
  }

  private void nothingIsLeft() throws IOException {
    assertThat(MountTable.read().below(directory.toRealPath())).as("mounts").isEmpty();
    assertThat(Loops.below(directory.toRealPath())).as("loop devices").isEmpty();
    for (String kind : new String[] {"volumes", "snapshots", "groups", "pending"}) {
      try (Stream<Path> entries = Files.list(directory.resolve("state").resolve(kind))) {
        assertThat(entries).as(kind).isEmpty();
      }
    }
  }

  /** Beginnings of the names of cases, such that each case is in one group. */
  private static List<String> groups() throws IOException {
    return List.copyOf(lines("csi-sanity-groups.txt"));
  }

  private static Set<String> lines(String resource) throws IOException {
    try (InputStream list = Objects.requireNonNull(SanityIT.class.getResourceAsStream(resource))) {
      TreeSet<String> lines = new TreeSet<>();
      new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(lines::add);
      return lines;
    }
  }

  private Path socket() {
    return directory.resolve("csi.sock");
  }

  private String log(String name) {
    try {
      return Files.readString(directory.resolve(name));
    } catch (IOException e) {
      return "no " + name;
    }
  }

  /** Where bin/verify put the program, or where the PATH has it. */
  private static @Nullable Path sanity() {
    String given = System.getProperty("csi.sanity", "");
    if (!given.isBlank()) {
      return Path.of(given);
    }
    for (String entry : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
      Path program = Path.of(entry.isEmpty() ? "." : entry, "csi-sanity");
      if (Files.isExecutable(program)) {
        return program;
      }
    }
    return null;
  }
}
