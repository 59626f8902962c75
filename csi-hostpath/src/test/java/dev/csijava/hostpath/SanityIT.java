package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.csijava.core.mount.MountTable;
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
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/**
 * The public Go conformance tool, csi-sanity, against the driver as a process: no failure, and no
 * skip that is not on the list beside this test.
 */
class SanityIT {
  @TempDir private Path directory;
  private @Nullable Process driver;

  @BeforeEach
  void startDriver() throws Exception {
    assumeThat(sanity()).as("csi-sanity is not installed; bin/verify installs it").isNotNull();
    assumeThat(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))
        .as("mounting needs root")
        .isEqualTo(0);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx128m");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(Main.class.getName());
    command.add("--endpoint=unix://" + socket());
    command.add("--nodeid=sanity-node");
    command.add("--statedir=" + directory.resolve("state"));
    command.add("--rundir=" + directory.resolve("run"));
    command.add("--enable-attach");
    command.add("--attach-limit=5");
    command.add("--enable-controller-modify-volume");
    command.add("--accepted-mutable-parameter-names=tier");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("driver.log").toFile())
            .start();
    driver = process;
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    while (!Files.exists(socket())) {
      assertThat(process.isAlive()).as(() -> log("driver.log")).isTrue();
      assertThat(System.nanoTime()).as(() -> log("driver.log")).isLessThan(deadline);
      Thread.sleep(50);
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

  @Test
  void csiSanityFailsNothingAndSkipsOnlyWhatIsKnown() throws Exception {
    Path report = directory.resolve("sanity.xml");
    Process run =
        new ProcessBuilder(
                Objects.requireNonNull(sanity()).toString(),
                "--csi.endpoint=" + socket(),
                "--csi.mountdir=" + directory.resolve("target"),
                "--csi.stagingdir=" + directory.resolve("staging"),
                "--csi.testnodevolumeattachlimit=true",
                "--csi.testvolumeparameters=" + yaml("volume", "note: made"),
                "--csi.testvolumemutableparameters=" + yaml("mutable", "tier: gold"),
                "--csi.testsnapshotparameters=" + yaml("snapshot", "ignoreFailedRead: \"false\""),
                "--ginkgo.no-color",
                "--ginkgo.junit-report=" + report)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("sanity.log").toFile())
            .start();
    boolean ended = run.waitFor(5, TimeUnit.MINUTES);
    if (!ended) {
      run.destroyForcibly().waitFor();
    }
    assertThat(ended).as("csi-sanity ends").isTrue();
    assertThat(run.exitValue()).as(() -> log("sanity.log")).isZero();
    assertThat(cases(report, "passed")).as("cases that passed").hasSizeGreaterThanOrEqualTo(85);
    assertThat(cases(report, "failed")).isEmpty();
    Set<String> skipped = cases(report, "skipped");
    skipped.addAll(cases(report, "pending"));
    assertThat(skipped).containsExactlyElementsOf(knownSkips());
    nothingIsLeft();
  }

  private Path yaml(String name, String line) throws IOException {
    return Files.writeString(directory.resolve(name + ".yaml"), line + System.lineSeparator());
  }

  private void nothingIsLeft() throws IOException {
    assertThat(MountTable.read().below(directory.toRealPath())).as("mounts").isEmpty();
    for (String kind : new String[] {"volumes", "snapshots", "groups", "pending"}) {
      try (Stream<Path> entries = Files.list(directory.resolve("state").resolve(kind))) {
        assertThat(entries).as(kind).isEmpty();
      }
    }
  }

  private static Set<String> cases(Path report, String status) throws Exception {
    TreeSet<String> names = new TreeSet<>();
    NodeList cases =
        DocumentBuilderFactory.newInstance()
            .newDocumentBuilder()
            .parse(report.toFile())
            .getElementsByTagName("testcase");
    for (int i = 0; i < cases.getLength(); i++) {
      Element test = (Element) cases.item(i);
      if (status.equals(test.getAttribute("status"))
          && test.getAttribute("name").startsWith("[It]")) {
        names.add(test.getAttribute("name").substring("[It] ".length()));
      }
    }
    return names;
  }

  private static Set<String> knownSkips() throws IOException {
    try (InputStream list =
        Objects.requireNonNull(SanityIT.class.getResourceAsStream("csi-sanity-skips.txt"))) {
      TreeSet<String> names = new TreeSet<>();
      new String(list.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(names::add);
      return names;
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
