package dev.csijava.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.common.collect.ImmutableList;
import dev.csijava.spec.v1.BlockMetadata;
import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import dev.csijava.spec.v1.StorageHealthErrorType;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.spec.v1.VolumeContentSource;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What people who write callers start and script. */
class FakeDriverTest {
  private static final VolumeCapability CAPABILITY =
      VolumeCapability.newBuilder()
          .setMount(MountVolume.getDefaultInstance())
          .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER))
          .build();

  @TempDir Path directory = Path.of("set by JUnit");

  private static CreateVolumeRequest volume(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .addVolumeCapabilities(CAPABILITY)
        .putSecrets("token", "hush")
        .build();
  }

  private static CsiConnection connect(FakeDriver driver) {
    return CsiConnection.to(DriverEndpoint.parse(driver.endpoint()));
  }

  private static ControllerGrpc.ControllerBlockingStub controller(CsiConnection connection) {
    return ControllerGrpc.newBlockingStub(connection.kept());
  }

  private static Status failure(Runnable call) {
    return catchThrowableOfType(StatusRuntimeException.class, call::run).getStatus();
  }

  @Test
  void failsTheCallThatTheScriptNamesAndDoesNothing() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      driver.script().on("CreateVolume").call(2).fail(Status.Code.UNAVAILABLE, "it is away");
      controller(connection).createVolume(volume("one"));
      Status status = failure(() -> controller(connection).createVolume(volume("two")));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(status.getDescription()).isEqualTo("it is away");
      assertThat(driver.volumes()).hasSize(1);
      controller(connection).createVolume(volume("two"));
      assertThat(driver.volumes()).hasSize(2);
    }
  }

  @Test
  void commitsAndThenFailsSoThatTheRetryFindsTheSameVolume() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      driver
          .script()
          .on("CreateVolume")
          .call(1)
          .commitThenFail(Status.Code.DEADLINE_EXCEEDED, "too late");
      assertThat(failure(() -> controller(connection).createVolume(volume("one"))).getCode())
          .isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      String id = driver.volumes().get(0).getVolumeId();
      assertThat(controller(connection).createVolume(volume("one")).getVolume().getVolumeId())
          .isEqualTo(id);
      assertThat(driver.calls().of("CreateVolume"))
          .extracting(RecordedCall::ok)
          .containsExactly(false, true);
    }
  }

  @Test
  void answersLateThoughAllIsDone() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      IdentityGrpc.newBlockingStub(connection.kept()).probe(ProbeRequest.getDefaultInstance());
      driver.script().on("CreateVolume").first(1).answerAfter(Duration.ofSeconds(60));
      Status status =
          failure(
              () ->
                  controller(connection)
                      .withDeadlineAfter(4, TimeUnit.SECONDS)
                      .createVolume(volume("one")));
      assertThat(status.getCode()).isEqualTo(Status.Code.DEADLINE_EXCEEDED);
      assertThat(driver.volumes()).hasSize(1);
    }
  }

  @Test
  void writesDownWhatItWasAskedAndWhatItSaid() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      CreateVolumeResponse answer = controller(connection).createVolume(volume("one"));
      IdentityGrpc.newBlockingStub(connection.kept()).probe(ProbeRequest.getDefaultInstance());
      assertThat(driver.calls().names()).containsExactly("CreateVolume", "Probe");
      RecordedCall call = driver.calls().of("CreateVolume").get(0);
      assertThat(call.request(CreateVolumeRequest.class)).isEqualTo(volume("one"));
      assertThat(call.reply(CreateVolumeResponse.class)).isEqualTo(answer);
      driver.calls().clear();
      assertThat(driver.calls().all()).isEmpty();
    }
  }

  @Test
  void refusesScriptsAboutWhatIsNoRpc() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start()) {
      assertThatThrownBy(() -> driver.script().on("MakeVolume"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("CSI has no RPC MakeVolume");
      assertThatThrownBy(
              () -> driver.script().on("Probe").every().fail(Status.Code.OK, "no failure"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void makesAndRemovesTheTargetAndNothingElse() throws IOException {
    Path staging = Files.createDirectory(directory.resolve("staging"));
    Path target = directory.resolve("target");
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      String id = controller(connection).createVolume(volume("one")).getVolume().getVolumeId();
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(connection.kept());
      publish(node, id, staging, target);
      assertThat(target).isEmptyDirectory();
      assertThat(driver.publishedAt(id)).containsExactly(target.toString());
      assertThat(driver.stagedAt(id)).containsExactly(staging.toString());
      Files.createFile(target.resolve("foreign"));
      assertThat(failure(() -> unpublish(node, id, target)).getCode())
          .isEqualTo(Status.Code.INTERNAL);
      Files.delete(target.resolve("foreign"));
      unpublish(node, id, target);
      assertThat(target).doesNotExist();
      assertThat(driver.publishedAt(id)).isEmpty();
      driver.reboot();
      assertThat(driver.stagedAt(id)).isEmpty();
      assertThat(staging).exists();
    }
  }

  private static void publish(
      NodeGrpc.NodeBlockingStub node, String id, Path staging, Path target) {
    node.nodeStageVolume(
        NodeStageVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setStagingTargetPath(staging.toString())
            .setVolumeCapability(CAPABILITY)
            .build());
    node.nodePublishVolume(
        NodePublishVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setStagingTargetPath(staging.toString())
            .setTargetPath(target.toString())
            .setVolumeCapability(CAPABILITY)
            .build());
  }

  private static void unpublish(NodeGrpc.NodeBlockingStub node, String id, Path target) {
    node.nodeUnpublishVolume(
        NodeUnpublishVolumeRequest.newBuilder()
            .setVolumeId(id)
            .setTargetPath(target.toString())
            .build());
  }

  @Test
  void reportsWhatWasWrittenBetweenTwoSnapshotsAndCarriesItAlong() throws IOException {
    try (FakeDriver driver =
            FakeDriver.builder()
                .workload(false)
                .blockMetadata(BlockMetadataType.VARIABLE_LENGTH, 1)
                .start();
        CsiConnection connection = connect(driver)) {
      String id = controller(connection).createVolume(volume("one")).getVolume().getVolumeId();
      driver.write(id, 0, 4096);
      String base = snapshot(connection, id, "base").getSnapshotId();
      driver.write(id, 8192, 8192);
      driver.write(id, 1 << 20, 1);
      String target = snapshot(connection, id, "target").getSnapshotId();
      List<BlockMetadata> changed =
          ImmutableList.copyOf(
                  SnapshotMetadataGrpc.newBlockingStub(connection.kept())
                      .getMetadataDelta(
                          GetMetadataDeltaRequest.newBuilder()
                              .setBaseSnapshotId(base)
                              .setTargetSnapshotId(target)
                              .build()))
              .stream()
              .flatMap(message -> message.getBlockMetadataList().stream())
              .toList();
      assertThat(changed).containsExactly(tuple(8192, 8192), tuple(1 << 20, 4096));
      String copy = restore(connection, target);
      assertThat(driver.read(copy, 0, 20_000)).isEqualTo(driver.read(id, 0, 20_000));
      driver.write(id, 0, 4096);
      assertThat(driver.read(copy, 0, 4096)).isNotEqualTo(driver.read(id, 0, 4096));
      assertThat(driver.read(copy, 4096, 4096)).containsOnly(0);
    }
  }

  private static BlockMetadata tuple(long offset, long size) {
    return BlockMetadata.newBuilder().setByteOffset(offset).setSizeBytes(size).build();
  }

  private static Snapshot snapshot(CsiConnection connection, String volume, String name) {
    return controller(connection)
        .createSnapshot(
            CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId(volume).build())
        .getSnapshot();
  }

  private static String restore(CsiConnection connection, String snapshot) {
    return controller(connection)
        .createVolume(
            volume("copy").toBuilder()
                .setVolumeContentSource(
                    VolumeContentSource.newBuilder()
                        .setSnapshot(
                            VolumeContentSource.SnapshotSource.newBuilder()
                                .setSnapshotId(snapshot)))
                .build())
        .getVolume()
        .getVolumeId();
  }

  /** V113-CHEALTH-004, V113-LHEALTH-002, V113-LHEALTH-003 and V113-SHEALTH-002. */
  @Test
  void tellsOfTheAilmentsThatItWasGiven() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().version(CsiVersion.V1_13).start();
        CsiConnection connection = connect(driver)) {
      controller(connection).createVolume(volume("healthy"));
      String one = controller(connection).createVolume(volume("one")).getVolume().getVolumeId();
      String two = controller(connection).createVolume(volume("two")).getVolume().getVolumeId();
      driver.ail(one, VolumeHealthErrorType.DEGRADED, "DiskSlow", "a disk is slow");
      driver.ail(two, VolumeHealthErrorType.DATA_LOSS, "DiskGone", "a disk is gone");
      driver.ail(StorageHealthErrorType.STORAGE_DEGRADED, "PowerLost", "on batteries");
      var health =
          controller(connection)
              .controllerGetVolumeHealth(
                  ControllerGetVolumeHealthRequest.newBuilder().setVolumeId(one).build())
              .getVolumeHealth();
      assertThat(health.getHealthStatuses(0).getReason()).isEqualTo("DiskSlow");
      var first =
          controller(connection)
              .controllerListVolumeHealth(
                  ControllerListVolumeHealthRequest.newBuilder().setMaxEntries(1).build());
      assertThat(first.getEntriesCount()).isEqualTo(1);
      var rest =
          controller(connection)
              .controllerListVolumeHealth(
                  ControllerListVolumeHealthRequest.newBuilder()
                      .setStartingToken(first.getNextToken())
                      .build());
      assertThat(rest.getEntriesCount()).isEqualTo(1);
      assertThat(rest.getNextToken()).isEmpty();
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(connection.kept());
      assertThat(
              node.nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                  .getBackendHealth(0)
                  .getReason())
          .isEqualTo("PowerLost");
      driver.heal();
      assertThat(
              node.nodeGetStorageHealth(NodeGetStorageHealthRequest.getDefaultInstance())
                  .getBackendHealthCount())
          .isZero();
    }
  }

  /** GEN-ERR-008. */
  @Test
  void wantsItsSecretsWhereACallCarriesSecrets() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().requiredSecrets(Map.of("token", "hush")).start();
        CsiConnection connection = connect(driver)) {
      CreateVolumeResponse made = controller(connection).createVolume(volume("one"));
      Status status =
          failure(
              () ->
                  controller(connection)
                      .deleteVolume(
                          DeleteVolumeRequest.newBuilder()
                              .setVolumeId(made.getVolume().getVolumeId())
                              .putSecrets("token", "wrong")
                              .build()));
      assertThat(status.getCode()).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(status.getDescription()).doesNotContain("wrong\"").doesNotContain("hush");
    }
  }

  @Test
  void takesTheSocketOfTheDeadAndNoOtherFile() throws IOException {
    Path socket = directory.resolve("csi.sock");
    FakeDriver.builder().start(socket).close();
    assertThat(socket).doesNotExist();
    Files.createFile(socket);
    assertThatThrownBy(() -> FakeDriver.builder().start(socket))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no socket");
    assertThat(socket).exists();
    Files.delete(socket);
    try (FakeDriver driver = FakeDriver.builder().start(socket)) {
      assertThat(driver.socket()).isEqualTo(socket);
      assertThatThrownBy(() -> FakeDriver.builder().start(socket))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("another process serves");
    }
  }

  @Test
  void leavesNoFileBehind() throws IOException {
    FakeDriver driver = FakeDriver.builder().start();
    Path own = driver.socket().getParent();
    assertThat(own).exists();
    driver.close();
    assertThat(own).doesNotExist();
  }

  @Test
  void remembersAsManyCallsAsItIsTold() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().callsKept(2).start();
        CsiConnection connection = connect(driver)) {
      for (String name : List.of("one", "two", "three")) {
        controller(connection).createVolume(volume(name));
      }
      assertThat(driver.calls().all())
          .extracting(call -> call.request(CreateVolumeRequest.class).getName())
          .containsExactly("two", "three");
      assertThat(driver.volumes()).hasSize(3);
    }
    assertThatThrownBy(() -> FakeDriver.builder().callsKept(-1))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The volume of a pod's manifest goes with its mount, and another one may come to the target. */
  @Test
  void aRebootForgetsInlineVolumesToo() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(connection.kept());
      NodePublishVolumeRequest.Builder request =
          NodePublishVolumeRequest.newBuilder()
              .setTargetPath(directory.resolve("mount").toString())
              .setVolumeCapability(CAPABILITY)
              .putVolumeContext("csi.storage.k8s.io/ephemeral", "true");
      node.nodePublishVolume(request.setVolumeId("before").build());
      assertThat(
              failure(() -> node.nodePublishVolume(request.setVolumeId("after").build())).getCode())
          .isEqualTo(Status.Code.ALREADY_EXISTS);
      driver.reboot();
      node.nodePublishVolume(request.setVolumeId("after").build());
      node.nodeUnpublishVolume(
          NodeUnpublishVolumeRequest.newBuilder()
              .setVolumeId("after")
              .setTargetPath(request.getTargetPath())
              .build());
    }
  }

  @Test
  void whatIsNoPathIsRefusedAndNoFaultOfItsOwn() throws IOException {
    try (FakeDriver driver = FakeDriver.builder().start();
        CsiConnection connection = connect(driver)) {
      String id = controller(connection).createVolume(volume("one")).getVolume().getVolumeId();
      NodeGetVolumeStatsRequest request =
          NodeGetVolumeStatsRequest.newBuilder().setVolumeId(id).setVolumePath("/a\0b").build();
      NodeGrpc.NodeBlockingStub node = NodeGrpc.newBlockingStub(connection.kept());
      assertThat(failure(() -> node.nodeGetVolumeStats(request)).getCode())
          .isEqualTo(Status.Code.INVALID_ARGUMENT);
    }
  }
}
