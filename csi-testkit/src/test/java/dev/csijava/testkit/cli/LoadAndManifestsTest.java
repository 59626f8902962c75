package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.testkit.fake.FakeDriver;
import dev.csijava.testkit.fake.FakeDriverBuilder;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands load and manifests, on the driver in memory. */
class LoadAndManifestsTest {
  @TempDir Path directory = Path.of("set by JUnit");

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  private int csi(FakeDriver driver, String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--endpoint", driver.endpoint()));
    return Main.run(
        new PrintWriter(out, true), new PrintWriter(err, true), all.toArray(new String[0]));
  }

  private int load(FakeDriver driver, String... words) {
    List<String> all = new ArrayList<>(List.of("load"));
    all.addAll(List.of(words));
    all.addAll(List.of("--duration", "0.2", "--warm-up", "0", "--volumes", "2"));
    return csi(driver, all.toArray(new String[0]));
  }

  @Test
  void comparesTwoDriversAndWritesAReport() throws IOException {
    try (FakeDriver first = FakeDriver.builder().start();
        FakeDriver second = FakeDriver.builder().start()) {
      second.script().on("CreateVolume").every().answerAfter(Duration.ofMillis(50));
      Path report = directory.resolve("report");
      assertThat(
              load(
                  first,
                  "--rpc",
                  "create",
                  "--versus",
                  second.endpoint(),
                  "--new-connection",
                  "--report",
                  report.toString()))
          .as(err.toString())
          .isZero();
      assertThat(out.toString())
          .contains("create: 2 volumes, 1 at once", "DeleteVolume", "  B / A", "report: ");
      assertThat(report.resolve("load.html")).exists();
      assertThat(first.volumes()).isEmpty();
      assertThat(second.volumes()).isEmpty();
    }
  }

  @Test
  void failsWhenACallFailed() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      driver.script().on("Probe").every().fail(Status.Code.INTERNAL, "no");
      assertThat(load(driver, "--rpc", "probe")).isEqualTo(1);
      assertThat(out.toString())
          .containsPattern("[1-9][0-9]* calls of Probe failed, first: INTERNAL: no");
    }
  }

  @Test
  void saysWhatIsWrongWithTheCommandLine() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      assertThat(load(driver, "--rpc", "destroy")).isEqualTo(2);
      assertThat(load(driver, "--rpc", "publish", "--concurrency", "9")).isEqualTo(2);
      assertThat(csi(driver, "manifests", "--mode", "everywhere")).isEqualTo(2);
      assertThat(csi(driver, "manifests", "--kubelet-dir", "relative")).isEqualTo(2);
      assertThat(err.toString())
          .contains("--rpc is publish, create, stats, mixed or probe, not destroy")
          .contains("at least 9 volumes")
          .contains("--mode is single or distributed, not everywhere")
          .contains("absolute path without / at its end, not relative");
    }
  }

  @Test
  void leavesNoDirectoryWhenTheSecondDriverIsNotThere() throws IOException {
    FakeDriver gone = FakeDriver.builder().start();
    gone.close();
    try (FakeDriver driver = FakeDriver.builder().start()) {
      int status =
          load(
              driver,
              "--rpc",
              "probe",
              "--versus",
              gone.endpoint(),
              "--target-dir",
              directory.toString());
      assertThat(status).isEqualTo(1);
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void saysThatNobodyIsThere() throws IOException {
    FakeDriver gone = FakeDriver.builder().start();
    gone.close();
    assertThat(load(gone, "--rpc", "probe")).isEqualTo(1);
    assertThat(csi(gone, "manifests")).isEqualTo(1);
    assertThat(err.toString())
        .contains("a driver can't be asked: UNAVAILABLE: io exception (")
        .contains("the driver can't be asked: UNAVAILABLE: io exception (")
        .doesNotContain("\tat ");
  }

  @Test
  void printsManifestsWithArgumentsOfTheDriver() throws IOException {
    Path options = directory.resolve("options");
    Files.writeString(
        options,
        """
        # Of a file.
        --driver-arg=--endpoint=$(CSI_ENDPOINT)
        --storage-class=fast:kind=fast,csi.storage.k8s.io/fstype=xfs
        """);
    try (FakeDriver driver = FakeDriver.builder().start()) {
      assertThat(
              csi(
                  driver,
                  "manifests",
                  "--registrar-sidecar",
                  "--liveness-sidecar",
                  "--secrets",
                  "--privileged-sidecars",
                  "@" + options))
          .as(err.toString())
          .isZero();
    }
    assertThat(out.toString())
        .startsWith("# What a cluster needs for fake.csijava.dev;")
        .contains("kind: StatefulSet\n", "- --endpoint=$(CSI_ENDPOINT)\n", "csi-attacher:v")
        .contains("  kind: fast\n", "csi.storage.k8s.io/fstype: xfs\n", "      - secrets\n")
        .contains("- --health-port=9808\n", "containerPort: 9809\n");
    assertThat(err.toString()).contains("give --metadata-ca").contains("give --attributes-class");
  }

  @Test
  void printsNothingForADriverThatCannotBeSpread() throws IOException {
    FakeDriverBuilder builder = FakeDriver.builder();
    try (FakeDriver driver = builder.start()) {
      assertThat(csi(driver, "manifests", "--mode", "distributed")).isEqualTo(1);
    }
    builder.without(ControllerServiceCapability.RPC.Type.PUBLISH_UNPUBLISH_VOLUME);
    builder.without(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    try (FakeDriver driver = builder.start()) {
      assertThat(csi(driver, "manifests", "--mode", "distributed")).isEqualTo(1);
    }
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString()).contains("external-attacher").contains("pods would be sent");
  }
}
