package dev.csijava.hostpath;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.core.CsiEndpoint;
import dev.csijava.core.CsiServer;
import dev.csijava.hostpath.options.GoArguments;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The manifests in deploy are what bin/csi manifests prints for this driver. */
class DeployTest {
  private static final Path DEPLOY = Path.of("deploy").toAbsolutePath();
  private static final String ARGUMENT = "--driver-arg=";

  @TempDir Path directory = Path.of("set by JUnit");

  private static List<String> arguments(String mode) throws IOException {
    try (Stream<String> lines = Files.lines(DEPLOY.resolve(mode + ".options"))) {
      return lines
          .filter(line -> line.startsWith(ARGUMENT))
          .map(line -> line.substring(ARGUMENT.length()))
          .toList();
    }
  }

  private HostpathSettings settings(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.add("--nodeid=node");
    all.add("--statedir=" + directory.resolve("state"));
    all.add("--rundir=" + directory.resolve("run"));
    CommandLine program = Main.commandLine(Map.of());
    program.parseArgs(GoArguments.normalise(program.getCommandSpec(), all.toArray(new String[0])));
    return ((Main) program.getCommand()).settings();
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "distributed"})
  void manifestsAreThoseOfTheDriver(String mode) throws IOException {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    try (HostpathDriver driver = HostpathDriver.open(settings(arguments(mode)));
        CsiServer server =
            CsiServer.forDriver(driver.driver())
                .endpoint(CsiEndpoint.parse("tcp://127.0.0.1:0"))
                .start()) {
      int status =
          dev.csijava.testkit.cli.Main.run(
              new PrintWriter(out, true),
              new PrintWriter(err, true),
              "manifests",
              "--endpoint",
              server.endpoint().toString(),
              "@" + DEPLOY.resolve(mode + ".options"));
      assertThat(status).as(err.toString()).isZero();
    }
    assertThat(DEPLOY.resolve(mode + ".yaml"))
        .as("deploy/regenerate prints it anew")
        .content()
        .isEqualTo(out.toString());
  }

  /** What the driver itself takes over must fit to where kubelet and the probes look for it. */
  @ParameterizedTest
  @ValueSource(strings = {"single", "distributed"})
  void registrationAndPagesAreWhereTheClusterLooks(String mode) throws IOException {
    String yaml = Files.readString(DEPLOY.resolve(mode + ".yaml"));
    HostpathSettings settings = settings(arguments(mode));
    String socket = "/var/lib/kubelet/plugins/" + settings.driverName();
    assertThat(arguments(mode))
        .contains("--kubelet-registration-path=" + socket + "/csi.sock", "--http-endpoint=:9898");
    assertThat(yaml)
        .contains("path: " + socket + "\n", "mountPath: /registration\n", "containerPort: 9898\n")
        .contains("mountPath: /csi-data-dir\n", "mountPath: /run/csi-hostpath\n")
        .doesNotContain("csi-node-driver-registrar", "livenessprobe:");
  }

  @Test
  void onOneNodeItIsAStatefulSetAndOnAllADaemonSetThatProvisionsForItself() throws IOException {
    assertThat(objects("single")).contains("StatefulSet").doesNotContain("DaemonSet");
    assertThat(objects("distributed")).contains("DaemonSet").doesNotContain("StatefulSet");
    assertThat(Files.readString(DEPLOY.resolve("distributed.yaml")))
        .contains("- --node-deployment=true\n", "maxSurge: 0\n", "maxUnavailable: 1\n");
  }

  /** Capacity is told of nodes with a driver only, and pods wait for a node that has it. */
  @ParameterizedTest
  @ValueSource(strings = {"single", "distributed"})
  void aPodIsNeverSentToANodeWithoutTheDriver(String mode) throws IOException {
    String yaml = Files.readString(DEPLOY.resolve(mode + ".yaml"));
    assertThat(yaml)
        .contains("storageCapacity: true\n", "- --enable-capacity=true\n")
        .contains("- --feature-gates=Topology=true\n", "- --strict-topology=true\n")
        .doesNotContain("volumeBindingMode: Immediate");
    assertThat(yaml.split("volumeBindingMode: WaitForFirstConsumer", -1))
        .hasSameSizeAs(yaml.split("kind: StorageClass\n", -1));
  }

  @Test
  void thereAreClassesForAllThatTheDriverCan() throws IOException {
    assertThat(objects("single"))
        .contains(
            "StorageClass",
            "VolumeSnapshotClass",
            "VolumeGroupSnapshotClass",
            "VolumeAttributesClass");
    assertThat(objects("distributed")).contains("StorageClass", "VolumeSnapshotClass");
  }

  @ParameterizedTest
  @ValueSource(strings = {"single", "distributed"})
  void noPortNameIsThereTwice(String mode) throws IOException {
    List<String> lines = Files.readAllLines(DEPLOY.resolve(mode + ".yaml"));
    List<String> names = new ArrayList<>();
    for (int i = 1; i < lines.size(); i++) {
      if (lines.get(i).strip().startsWith("containerPort: ")) {
        names.add(lines.get(i - 1).strip());
      }
    }
    assertThat(names)
        .isNotEmpty()
        .allMatch(name -> name.startsWith("- name: "))
        .doesNotHaveDuplicates();
  }

  private static List<String> objects(String mode) throws IOException {
    try (Stream<String> lines = Files.lines(DEPLOY.resolve(mode + ".yaml"))) {
      return lines
          .filter(line -> line.startsWith("kind: "))
          .map(line -> line.substring("kind: ".length()))
          .toList();
    }
  }

  @Test
  void theContainerHasTheProgramsThatTheDriverCalls() throws IOException {
    assertThat(Files.readString(DEPLOY.resolve("Containerfile")))
        .contains("e2fsprogs", "mount", "xfsprogs", "tini", "csi-hostpath-*-linux-x86_64.tar.gz");
  }
}
