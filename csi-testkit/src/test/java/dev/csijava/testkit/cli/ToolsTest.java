package dev.csijava.testkit.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.client.CsiRpc;
import dev.csijava.testkit.fake.FakeDriver;
import io.grpc.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** The commands call and info, on the driver in memory. */
class ToolsTest {
  @TempDir Path directory = Path.of("set by JUnit");

  @SuppressWarnings("NullAway.Init") // set before each test
  private FakeDriver driver;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeEach
  void start() throws IOException {
    driver = FakeDriver.builder().start();
  }

  @AfterEach
  void stop() {
    driver.close();
  }

  private int csi(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--endpoint", driver.endpoint()));
    CommandLine program = Main.commandLine();
    program.setOut(new PrintWriter(out, true));
    program.setErr(new PrintWriter(err, true));
    return program.execute(all.toArray(new String[0]));
  }

  @Test
  void makesAVolumeFromFlags() {
    int status =
        csi(
            "call",
            "CreateVolume",
            "--name",
            "x",
            "--size",
            "1Gi",
            "--limit",
            "2G",
            "--cap",
            "multi_node_reader_only,mount,xfs,noatime,nodev",
            "--parameter",
            "a=b",
            "--mutable-parameter",
            "iops=7",
            "--requisite",
            "topology.fake.csijava.dev/zone=zone-2");
    assertThat(err.toString()).isEmpty();
    assertThat(status).isZero();
    assertThat(out.toString()).contains("\"capacityBytes\": \"1073741824\"").contains("zone-2");
    CreateVolumeRequest sent =
        driver.calls().of("CreateVolume").get(0).request(CreateVolumeRequest.class);
    assertThat(sent.getCapacityRange().getLimitBytes()).isEqualTo(2_000_000_000L);
    VolumeCapability capability = sent.getVolumeCapabilities(0);
    assertThat(capability.getAccessMode().getMode()).isEqualTo(Mode.MULTI_NODE_READER_ONLY);
    assertThat(capability.getMount().getFsType()).isEqualTo("xfs");
    assertThat(capability.getMount().getMountFlagsList()).containsExactly("noatime", "nodev");
    assertThat(sent.getParametersMap()).containsEntry("a", "b");
    assertThat(sent.getMutableParamsMap()).containsEntry("iops", "7");
  }

  @Test
  void takesAWholeRequestAsJson() throws IOException {
    Path file = directory.resolve("request.json");
    Files.writeString(
        file,
        """
        {"name": "from-a-file", "mutableParameters": {"iops": "9"},
         "volumeCapabilities": [{"block": {}, "accessMode": {"mode": "SINGLE_NODE_WRITER"}}]}
        """);
    assertThat(csi("call", "createvolume", "--json", file.toString(), "--size", "1Mi")).isZero();
    CreateVolumeRequest sent =
        driver.calls().of("CreateVolume").get(0).request(CreateVolumeRequest.class);
    assertThat(sent.getVolumeCapabilities(0).hasBlock()).isTrue();
    assertThat(sent.getMutableParamsMap()).containsEntry("iops", "9");
    assertThat(sent.getCapacityRange().getRequiredBytes()).isEqualTo(1 << 20);
  }

  @Test
  void printsCodeAndSentenceOfARefusal() {
    assertThat(csi("call", "ControllerGetVolume", "--volume-id", "nobody")).isEqualTo(1);
    assertThat(err.toString())
        .isEqualToIgnoringNewLines("NOT_FOUND: there is no volume \"nobody\"");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void printsNoSecret() throws IOException {
    Path secrets = directory.resolve("secrets");
    Files.writeString(secrets, "password: canary-4711\n");
    driver.script().on("DeleteVolume").every().fail(Status.Code.INTERNAL, "got canary-4711");
    int status =
        csi(
            "call",
            "DeleteVolume",
            "--volume-id",
            "v",
            "--secrets",
            secrets.toString(),
            "--show-request");
    assertThat(status).isEqualTo(1);
    assertThat(driver.calls().all().get(0).request().toString()).contains("canary-4711");
    assertThat(err.toString()).contains("INTERNAL: got ").contains("password");
    assertThat(out + "" + err).doesNotContain("canary-4711");
  }

  @Test
  void takesTheSecretsOfThisRpcFromAFileForAll() throws IOException {
    Path secrets = directory.resolve("secrets.json");
    Files.writeString(
        secrets,
        "{\"DeleteVolumeSecret\": {\"mine\": \"one\"}, \"CreateVolumeSecret\": {\"no\": \"two\"}}");
    assertThat(csi("call", "DeleteVolume", "--volume-id", "v", "--secrets", secrets.toString()))
        .isZero();
    assertThat(driver.calls().all().get(0).request().toString())
        .contains("mine")
        .doesNotContain("two");
  }

  @Test
  void printsAStreamMessageByMessage() {
    csi("call", "CreateVolume", "--name", "v", "--size", "1Gi", "--cap", "1,block");
    String volume = driver.volumes().get(0).getVolumeId();
    csi("call", "CreateSnapshot", "--name", "s", "--volume-id", volume);
    String snapshot = driver.snapshots().get(0).getSnapshotId();
    out.getBuffer().setLength(0);
    assertThat(
            csi(
                "call",
                "GetMetadataAllocated",
                "--snapshot-id",
                snapshot,
                "--max-entries",
                "10",
                "--starting-offset",
                "32Ki"))
        .isZero();
    assertThat(out.toString().lines().count()).isGreaterThan(1);
    assertThat(out.toString().lines()).allMatch(line -> line.startsWith("{\"blockMetadataType\":"));
  }

  /** Whatever the driver says to an empty request: each RPC is known, and an answer is printed. */
  @ParameterizedTest
  @EnumSource
  void callsEveryRpc(CsiRpc rpc) {
    int status = csi("call", rpc.title());
    assertThat(status).isIn(0, 1);
    assertThat(driver.calls().names()).containsExactly(rpc.title());
    assertThat(status == 0 ? out.toString() : err.toString()).isNotBlank();
  }

  @Test
  void saysWhatIsWrongWithTheCommandLine() {
    assertThat(csi("call", "NoSuchRpc")).isEqualTo(2);
    assertThat(csi("call", "NodeGetInfo", "--size", "1Gi")).isEqualTo(2);
    assertThat(csi("call", "CreateVolume", "--size", "much")).isEqualTo(2);
    assertThat(csi("call", "CreateVolume", "--cap", "5")).isEqualTo(2);
    assertThat(csi("call", "DeleteVolume", "--volume-id", "a", "--volume-id", "b")).isEqualTo(2);
    assertThat(err.toString())
        .contains("CSI has no RPC NoSuchRpc")
        .contains("NodeGetInfoRequest has no field for --size")
        .contains("'much' is no size")
        .contains("write mode,type")
        .contains("DeleteVolumeRequest takes one --volume-id, not 2");
    assertThat(driver.calls().all()).isEmpty();
  }

  @Test
  void showsWhoTheDriverIsAndWhatItCan() {
    assertThat(csi("info")).isZero();
    assertThat(out.toString())
        .contains("fake.csijava.dev")
        .contains("CREATE_DELETE_VOLUME")
        .contains("STAGE_UNSTAGE_VOLUME")
        .contains("VolumeExpansion.ONLINE")
        .contains("fake-node-1")
        .contains("zone=zone-1");
  }

  @Test
  void saysThatNobodyIsThere() {
    driver.close();
    assertThat(csi("info")).isEqualTo(1);
    assertThat(err.toString()).startsWith("UNAVAILABLE: ").doesNotContain("\tat ");
    assertThat(err.toString()).contains(driver.socket().toString());
  }
}
