package dev.csijava.core.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.ProbeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeContentSource;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OperationKeysTest {
  /** What each RPC locks: {@code x} exclusive, {@code s} shared, and the field that names it. */
  private static final Map<String, String> EXPECTED =
      Map.ofEntries(
          Map.entry("GetPluginInfo", "alone"),
          Map.entry("GetPluginCapabilities", "alone"),
          Map.entry("Probe", "alone"),
          Map.entry("CreateVolume", "s VOLUME_DATA volume_id, x VOLUME_NAME name"),
          Map.entry(
              "DeleteVolume",
              "x VOLUME_ATTACHMENT volume_id, x VOLUME_ATTRIBUTES volume_id,"
                  + " x VOLUME_DATA volume_id, x VOLUME_NODE volume_id"),
          Map.entry("ControllerPublishVolume", "x VOLUME_ATTACHMENT volume_id"),
          Map.entry("ControllerUnpublishVolume", "x VOLUME_ATTACHMENT volume_id"),
          Map.entry("ValidateVolumeCapabilities", "alone"),
          Map.entry("ListVolumes", "alone"),
          Map.entry("ControllerListVolumeHealth", "alone"),
          Map.entry("ControllerGetVolumeHealth", "joined"),
          Map.entry("GetCapacity", "alone"),
          Map.entry("ControllerGetCapabilities", "alone"),
          Map.entry("CreateSnapshot", "s VOLUME_DATA source_volume_id, x SNAPSHOT_NAME name"),
          Map.entry("DeleteSnapshot", "x SNAPSHOT snapshot_id"),
          Map.entry("ListSnapshots", "alone"),
          Map.entry("GetSnapshot", "alone"),
          Map.entry(
              "ControllerExpandVolume",
              "s VOLUME_ATTACHMENT volume_id, x VOLUME_DATA volume_id, x VOLUME_NODE volume_id"),
          Map.entry("ControllerGetVolume", "alone"),
          Map.entry("ControllerModifyVolume", "x VOLUME_ATTRIBUTES volume_id"),
          Map.entry("GroupControllerGetCapabilities", "alone"),
          Map.entry(
              "CreateVolumeGroupSnapshot", "s VOLUME_DATA source_volume_ids, x GROUP_NAME name"),
          Map.entry(
              "DeleteVolumeGroupSnapshot", "x GROUP group_snapshot_id, x SNAPSHOT snapshot_ids"),
          Map.entry("GetVolumeGroupSnapshot", "alone"),
          Map.entry("GetMetadataAllocated", "alone"),
          Map.entry("GetMetadataDelta", "alone"),
          Map.entry("NodeStageVolume", "x PATH staging_target_path, x VOLUME_NODE volume_id"),
          Map.entry("NodeUnstageVolume", "x PATH staging_target_path, x VOLUME_NODE volume_id"),
          Map.entry(
              "NodePublishVolume",
              "s PATH staging_target_path, x PATH target_path, x VOLUME_NODE volume_id"),
          Map.entry("NodeUnpublishVolume", "s VOLUME_NODE volume_id, x PATH target_path"),
          Map.entry("NodeGetVolumeStats", "joined"),
          Map.entry("NodeGetVolumeHealth", "joined"),
          Map.entry("NodeGetStorageHealth", "joined"),
          Map.entry("NodeExpandVolume", "x VOLUME_DATA volume_id, x VOLUME_NODE volume_id"),
          Map.entry("NodeGetCapabilities", "alone"),
          Map.entry("NodeGetInfo", "alone"));

  @Test
  void everyRpcHasADeliberateRow() {
    Map<String, String> actual = new TreeMap<>();
    for (Descriptor type : Requests.types()) {
      OperationKeys keys = OperationKeys.of(Requests.filled(type));
      actual.put(keys.rpc(), describe(keys));
    }
    assertThat(actual).hasSize(36).isEqualTo(new TreeMap<>(EXPECTED));
  }

  @Test
  void anEmptyFieldLocksNothing() {
    for (Descriptor type : Requests.types()) {
      assertThat(OperationKeys.of(Requests.empty(type)).exclusive()).isEmpty();
    }
  }

  @Test
  void whatIsNoRequestIsRefused() {
    assertThatThrownBy(() -> OperationKeys.of(ProbeResponse.getDefaultInstance()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ProbeResponse");
  }

  @Test
  void publicationsAtDifferentTargetsGoSideBySide() {
    assertTogether(
        publish("/a", Mode.MULTI_NODE_MULTI_WRITER), publish("/b", Mode.MULTI_NODE_MULTI_WRITER));
    assertTogether(publish("/a", Mode.SINGLE_NODE_MULTI_WRITER), unpublish("/b"));
    assertTogether(unpublish("/a"), unpublish("/b"));
  }

  @Test
  void callsAtOneTargetGoOneAfterTheOtherHoweverItIsSpelt() {
    assertApart(publish("/a/b", Mode.MULTI_NODE_MULTI_WRITER), unpublish("/a//b/"));
    assertApart(publish("/", Mode.MULTI_NODE_MULTI_WRITER), unpublish("//"));
  }

  @Test
  void whereOneTargetOnlyIsAllowedTwoPublicationsCanNotBothFindNone() {
    assertApart(publish("/a", Mode.SINGLE_NODE_WRITER), publish("/b", Mode.SINGLE_NODE_WRITER));
    assertApart(
        publish("/a", Mode.SINGLE_NODE_SINGLE_WRITER),
        publish("/b", Mode.SINGLE_NODE_SINGLE_WRITER));
  }

  @Test
  void anInlineVolumeIsPublishedAlone() {
    NodePublishVolumeRequest inline =
        publish("/a", Mode.SINGLE_NODE_MULTI_WRITER).toBuilder()
            .putVolumeContext("csi.storage.k8s.io/ephemeral", "true")
            .build();
    assertApart(inline, publish("/b", Mode.SINGLE_NODE_MULTI_WRITER));
  }

  @Test
  void stageAndUnstageWaitForPublicationsAndForEachOther() {
    assertApart(stage(), publish("/a", Mode.MULTI_NODE_MULTI_WRITER));
    assertApart(unstage(), unpublish("/a"));
    assertApart(stage(), unstage());
    assertApart(stage(), nodeExpand());
  }

  @Test
  void b079CopiesOfOneVolumeGoSideBySideAndBesideAllThatMountsIt() {
    Message[] copies = {snapshot("one"), snapshot("two"), clone("three"), group("four")};
    for (Message copy : copies) {
      for (Message other : copies) {
        if (!copy.equals(other)) {
          assertTogether(copy, other);
        }
      }
      assertTogether(copy, stage());
      assertTogether(copy, unstage());
      assertTogether(copy, publish("/a", Mode.SINGLE_NODE_WRITER));
      assertTogether(copy, unpublish("/a"));
      assertTogether(copy, attach());
      assertTogether(copy, modify());
      assertApart(copy, delete());
      assertApart(copy, expand());
      assertApart(copy, nodeExpand());
    }
  }

  @Test
  void deleteWaitsForEverythingThatUsesTheVolume() {
    Message[] users = {
      stage(),
      unstage(),
      publish("/a", Mode.MULTI_NODE_MULTI_WRITER),
      unpublish("/a"),
      attach(),
      detach(),
      modify(),
      expand(),
      nodeExpand(),
      snapshot("one"),
      clone("two"),
      group("three")
    };
    for (Message user : users) {
      assertApart(delete(), user);
    }
  }

  @Test
  void expandWaitsForMountsAndAttachments() {
    assertApart(expand(), stage());
    assertApart(expand(), publish("/a", Mode.MULTI_NODE_MULTI_WRITER));
    assertApart(expand(), attach());
    assertApart(expand(), nodeExpand());
    assertTogether(expand(), modify());
  }

  @Test
  void attachmentAndMountsAreIndependent() {
    assertApart(attach(), detach());
    assertTogether(attach(), stage());
    assertTogether(detach(), unpublish("/a"));
    assertTogether(modify(), publish("/a", Mode.SINGLE_NODE_WRITER));
  }

  @Test
  void b073CreatesOfOneNameGoOneAfterTheOtherWithinTheirKind() {
    assertApart(clone("pvc-1"), CreateVolumeRequest.newBuilder().setName("pvc-1").build());
    assertApart(
        snapshot("one"),
        CreateSnapshotRequest.newBuilder().setName("one").setSourceVolumeId("other").build());
    assertTogether(snapshot("one"), clone("one"));
    assertTogether(group("one"), snapshot("one"));
  }

  @Test
  void b076B088ASnapshotIsNotDeletedWhileItIsRestored() {
    Message restore = restore("pvc-1");
    Message delete = DeleteSnapshotRequest.newBuilder().setSnapshotId("snap-1").build();
    assertApart(restore, delete);
    assertApart(
        restore,
        DeleteVolumeGroupSnapshotRequest.newBuilder()
            .setGroupSnapshotId("group-1")
            .addSnapshotIds("snap-2")
            .addSnapshotIds("snap-1")
            .build());
    assertTogether(restore, restore("pvc-2"));
  }

  @Test
  void statsWaitForNothing() {
    OperationKeys stats =
        OperationKeys.of(NodeGetVolumeStatsRequest.newBuilder().setVolumeId("vol-1").build());
    assertThat(stats.joins()).isTrue();
    assertThat(stats.exclusive()).isEmpty();
  }

  private static void assertApart(Message one, Message other) {
    assertThat(conflict(one, other)).as("%s beside %s", one, other).isTrue();
    assertThat(conflict(other, one)).isTrue();
  }

  private static void assertTogether(Message one, Message other) {
    assertThat(conflict(one, other)).as("%s beside %s", one, other).isFalse();
    assertThat(conflict(other, one)).isFalse();
  }

  private static boolean conflict(Message one, Message other) {
    OperationKeys keys = OperationKeys.of(one);
    return OperationKeys.of(other).exclusive().entrySet().stream()
        .anyMatch(
            key ->
                keys.exclusive().containsKey(key.getKey())
                    && (key.getValue() || keys.isExclusive(key.getKey())));
  }

  private static String describe(OperationKeys keys) {
    if (keys.exclusive().isEmpty()) {
      return keys.joins() ? "joined" : "alone";
    }
    assertThat(keys.joins()).isTrue();
    return keys.exclusive().entrySet().stream()
        .map(
            key ->
                (key.getValue() ? "x " : "s ")
                    + key.getKey().facet().name()
                    + " "
                    + key.getKey().id().substring(1))
        .sorted()
        .collect(Collectors.joining(", "));
  }

  private static CreateVolumeRequest clone(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setVolumeContentSource(
            VolumeContentSource.newBuilder()
                .setVolume(VolumeContentSource.VolumeSource.newBuilder().setVolumeId("vol-1")))
        .build();
  }

  private static CreateVolumeRequest restore(String name) {
    return CreateVolumeRequest.newBuilder()
        .setName(name)
        .setVolumeContentSource(
            VolumeContentSource.newBuilder()
                .setSnapshot(
                    VolumeContentSource.SnapshotSource.newBuilder().setSnapshotId("snap-1")))
        .build();
  }

  private static Message snapshot(String name) {
    return CreateSnapshotRequest.newBuilder().setName(name).setSourceVolumeId("vol-1").build();
  }

  private static Message group(String name) {
    return CreateVolumeGroupSnapshotRequest.newBuilder()
        .setName(name)
        .addSourceVolumeIds("vol-0")
        .addSourceVolumeIds("vol-1")
        .build();
  }

  private static Message delete() {
    return DeleteVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  }

  private static Message attach() {
    return ControllerPublishVolumeRequest.newBuilder()
        .setVolumeId("vol-1")
        .setNodeId("node-1")
        .build();
  }

  private static Message detach() {
    return ControllerUnpublishVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  }

  private static Message modify() {
    return ControllerModifyVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  }

  private static Message expand() {
    return ControllerExpandVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  }

  private static Message nodeExpand() {
    return NodeExpandVolumeRequest.newBuilder().setVolumeId("vol-1").build();
  }

  private static Message stage() {
    return NodeStageVolumeRequest.newBuilder()
        .setVolumeId("vol-1")
        .setStagingTargetPath("/staging")
        .build();
  }

  private static Message unstage() {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId("vol-1")
        .setStagingTargetPath("/staging")
        .build();
  }

  private static NodePublishVolumeRequest publish(String target, Mode mode) {
    return NodePublishVolumeRequest.newBuilder()
        .setVolumeId("vol-1")
        .setTargetPath(target)
        .setStagingTargetPath("/staging")
        .setVolumeCapability(
            VolumeCapability.newBuilder()
                .setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode)))
        .build();
  }

  private static Message unpublish(String target) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId("vol-1")
        .setTargetPath(target)
        .build();
  }
}
