package dev.csijava.examples.existing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.csijava.core.mount.MountTable;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeCapability.BlockVolume;
import dev.csijava.spec.v1.VolumeCapability.MountVolume;
import dev.csijava.testkit.client.CsiConnection;
import dev.csijava.testkit.client.DriverEndpoint;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What this driver promises: what lies on the node is served, and nothing else in its place. */
class ExistingIT {
  private Path root;
  private OneNode node;
  private CsiConnection connection;

  @BeforeEach
  void start(@TempDir Path directory) throws IOException {
    assumeTrue(OneNode.canMount(), "mounts need root");
    root = directory.toRealPath();
    node = OneNode.start(root);
    connection = CsiConnection.to(DriverEndpoint.parse(node.endpoint()));
  }

  @AfterEach
  void stop() throws IOException {
    if (connection != null) {
      connection.close();
    }
    if (node != null) {
      node.close();
    }
  }

  @Test
  void allDisksAreListedWithTheirSizeAndPlace() {
    ListVolumesResponse all = list(0, "");

    assertThat(all.getEntriesList())
        .extracting(entry -> entry.getVolume().getVolumeId())
        .containsExactlyInAnyOrder(
            node.id(OneNode.SSD), node.id(OneNode.DATA), node.id(OneNode.RAW));
    assertThat(all.getEntriesList())
        .allSatisfy(
            entry -> {
              assertThat(entry.getVolume().getAccessibleTopology(0).getSegmentsMap())
                  .containsValue("node-1");
              assertThat(entry.getVolume().getCapacityBytes()).isPositive();
              assertThat(entry.getStatus().getVolumeCondition().getAbnormal()).isFalse();
            });
    assertThat(entry(all, OneNode.RAW).getVolume().getCapacityBytes()).isEqualTo(OneNode.RAW_BYTES);
    ListVolumesResponse two = list(2, "");
    ListVolumesResponse rest = list(2, two.getNextToken());
    assertThat(two.getEntriesCount()).isEqualTo(2);
    assertThat(rest.getEntriesList()).containsExactly(all.getEntries(2));
  }

  @Test
  void whatLiesThereAppearsInAPod() throws IOException {
    Files.writeString(node.disk(OneNode.SSD).resolve("memo"), "it was there before");
    Path target = publish(OneNode.SSD, "one");
    publish(OneNode.SSD, "one");

    assertThat(target.resolve("memo")).hasContent("it was there before");
    Files.writeString(target.resolve("new"), "written by a pod");
    unpublish(OneNode.SSD, target);
    unpublish(OneNode.SSD, target);

    assertThat(target).doesNotExist();
    assertThat(node.disk(OneNode.SSD).resolve("new")).hasContent("written by a pod");
  }

  @Test
  void aBlockDeviceAppearsInAPodAsADevice() throws IOException {
    Path target = publish(OneNode.RAW, "one");

    try (FileChannel device = FileChannel.open(target)) {
      assertThat(device.size()).isEqualTo(OneNode.RAW_BYTES);
    }
    assertThat(stats(OneNode.RAW, target).getUsage(0).getTotal()).isEqualTo(OneNode.RAW_BYTES);
    unpublish(OneNode.RAW, target);
    assertThat(target).doesNotExist();
  }

  /** Rule K6: what a vanished disk leaves behind is an empty directory of the node's own disk. */
  @Test
  void aVanishedDiskIsReportedAndNeverReplaced() throws IOException {
    publishedAndBack(OneNode.SSD);
    node.unmountSsd();
    node.restart();

    StatusRuntimeException refusal = refusal(() -> publish(OneNode.SSD, "one"));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal).hasMessageContaining("not mounted");
    assertThat(root.resolve("pod-one")).doesNotExist();
    ListVolumesResponse.Entry entry = entry(list(0, ""), OneNode.SSD);
    assertThat(entry.getStatus().getVolumeCondition().getAbnormal()).isTrue();
    assertThat(entry.getStatus().getVolumeCondition().getMessage()).contains("not mounted");
    assertThat(entry(list(0, ""), OneNode.DATA).getStatus().getVolumeCondition().getAbnormal())
        .isFalse();

    node.mountSsd();
    publishedAndBack(OneNode.SSD);
  }

  /** Rule K5: a pod must be able to end although its disk is gone. */
  @Test
  void aDiskThatVanishesUnderAPodIsReportedThereAndUnpublished() throws IOException {
    Path target = publish(OneNode.SSD, "one");
    node.unmountSsd();
    node.restart();

    NodeGetVolumeStatsResponse stats = stats(OneNode.SSD, target);
    assertThat(stats.getVolumeCondition().getAbnormal()).isTrue();

    unpublish(OneNode.SSD, target);
    assertThat(target).doesNotExist();
    assertThat(MountTable.read().at(target)).isEmpty();
  }

  @Test
  void aSecondPodNeedsAModeForSeveral() throws IOException {
    Path first = publish(OneNode.DATA, "one");

    StatusRuntimeException refusal = refusal(() -> publish(OneNode.DATA, "two"));

    assertThat(refusal.getStatus().getCode()).isEqualTo(Status.Code.FAILED_PRECONDITION);
    assertThat(refusal).hasMessageContaining(first.toString());
    unpublish(OneNode.DATA, first);
    unpublish(OneNode.DATA, publish(OneNode.DATA, "two"));
  }

  @Test
  void anotherVolumesTargetIsNotUnmounted() throws IOException {
    Path target = publish(OneNode.DATA, "one");

    assertThat(refusal(() -> unpublish(OneNode.SSD, target)).getStatus().getCode())
        .isEqualTo(Status.Code.FAILED_PRECONDITION);

    assertThat(MountTable.read().stackAt(target)).hasSize(1);
    unpublish(OneNode.DATA, target);
  }

  @Test
  void aPersistentVolumeIsPrintedForEachDisk() {
    assertThat(node.driver().persistentVolumes())
        .contains(node.id(OneNode.SSD), node.id(OneNode.DATA), node.id(OneNode.RAW));
  }

  private ListVolumesResponse list(int maxEntries, String token) {
    return ControllerGrpc.newBlockingStub(connection.kept())
        .listVolumes(
            ListVolumesRequest.newBuilder()
                .setMaxEntries(maxEntries)
                .setStartingToken(token)
                .build());
  }

  private ListVolumesResponse.Entry entry(ListVolumesResponse all, String name) {
    List<ListVolumesResponse.Entry> found =
        all.getEntriesList().stream()
            .filter(entry -> entry.getVolume().getVolumeId().equals(node.id(name)))
            .toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private void publishedAndBack(String name) {
    unpublish(name, publish(name, "one"));
  }

  private Path publish(String name, String pod) {
    Path target = root.resolve("pod-" + pod);
    VolumeCapability.Builder capability =
        VolumeCapability.newBuilder()
            .setAccessMode(AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_WRITER));
    if (name.equals(OneNode.RAW)) {
      capability.setBlock(BlockVolume.getDefaultInstance());
    } else {
      capability.setMount(MountVolume.getDefaultInstance());
    }
    NodeGrpc.newBlockingStub(connection.kept())
        .nodePublishVolume(
            NodePublishVolumeRequest.newBuilder()
                .setVolumeId(node.id(name))
                .setTargetPath(target.toString())
                .setVolumeCapability(capability)
                .build());
    return target;
  }

  private void unpublish(String name, Path target) {
    NodeGrpc.newBlockingStub(connection.kept())
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(node.id(name))
                .setTargetPath(target.toString())
                .build());
  }

  private NodeGetVolumeStatsResponse stats(String name, Path target) {
    return NodeGrpc.newBlockingStub(connection.kept())
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(node.id(name))
                .setVolumePath(target.toString())
                .build());
  }

  private static StatusRuntimeException refusal(ThrowingCallable call) {
    StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
    assertThat(refusal).as("the call should have failed").isNotNull();
    return refusal;
  }
}
