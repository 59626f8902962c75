package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Every mutating call of the lives of some volumes, as far as the driver has them, so that somebody
 * can make each as often as he likes. The calls of {@link #forth} come first, in order, then those
 * of {@link #back}; what one call answers is what the next one names.
 */
final class ReplayLife {
  /**
   * One call.
   *
   * @param row the row of the inventory that says what becomes of its repetition
   * @param what for people
   * @param call made by the context that is handed in; answers what must stay the same
   */
  record Step(String row, String what, Function<CaseContext, Message> call) {}

  /** The rows that steps name. */
  static final String[] ROWS = {
    "CTRL-CREATE-004",
    "CTRL-SNAP-005",
    "GROUP-CREATE-005",
    "CTRL-MODIFY-007",
    "CTRL-EXPAND-005",
    "CTRL-PUB-007",
    "NODE-STAGE-006",
    "NODE-PUB-009",
    "NODE-UNPUB-007",
    "NODE-UNSTAGE-004",
    "CTRL-UNPUB-003",
    "GROUP-DELETE-004",
    "CTRL-DELSNAP-003",
    "CTRL-DELETE-004"
  };

  private final CaseContext context;
  private final boolean snapshots;
  private final boolean groups;
  private final boolean node;
  private final List<String> volumes = new ArrayList<>();
  private final List<Step> forth = new ArrayList<>();
  private final List<Step> back = new ArrayList<>();
  private Volume volume = Volume.getDefaultInstance();
  private Volume spare = Volume.getDefaultInstance();
  private Snapshot snapshot = Snapshot.getDefaultInstance();
  private VolumeGroupSnapshot group = VolumeGroupSnapshot.getDefaultInstance();

  ReplayLife(CaseContext context) {
    this.context = context;
    this.snapshots = context.advertises("ctrl:CREATE_DELETE_SNAPSHOT");
    this.groups = context.advertises("group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
    this.node = context.advertises("service:Node");
    context.needs("ctrl:CREATE_DELETE_VOLUME");
    volumesAndCopies();
    if (node) {
      onNode();
    }
    removal();
  }

  List<Step> forth() {
    return forth;
  }

  List<Step> back() {
    return back;
  }

  /** The ids of the volumes that there are now. */
  Set<String> volumes() {
    return new HashSet<>(volumes);
  }

  /** The ids of the snapshots that there are now. */
  Set<String> snapshots() {
    Set<String> ids = new HashSet<>(GroupCases.ids(group));
    if (!snapshot.getSnapshotId().isEmpty()) {
      ids.add(snapshot.getSnapshotId());
    }
    return ids;
  }

  private void volumesAndCopies() {
    CreateVolumeRequest first = context.requests().volume().build();
    forth("CTRL-CREATE-004", "CreateVolume", c -> volume = create(c, first));
    CreateVolumeRequest second = context.requests().volume().build();
    forth(
        "CTRL-CREATE-004",
        "CreateVolume",
        c -> {
          spare = create(c, second);
          return withoutSize(spare);
        });
    if (snapshots) {
      String name = context.name();
      forth("CTRL-SNAP-005", "CreateSnapshot", c -> snapshot = cut(c, name));
      CreateVolumeRequest restore = context.requests().volume().build();
      forth(
          "CTRL-CREATE-004",
          "CreateVolume from a snapshot",
          c ->
              create(
                  c,
                  restore.toBuilder()
                      .setVolumeContentSource(Requests.fromSnapshot(snapshot.getSnapshotId()))
                      .build()));
    }
    if (context.advertises("ctrl:CLONE_VOLUME")) {
      CreateVolumeRequest clone = context.requests().volume().build();
      forth(
          "CTRL-CREATE-004",
          "CreateVolume from a volume",
          c ->
              create(
                  c,
                  clone.toBuilder()
                      .setVolumeContentSource(Requests.fromVolume(volume.getVolumeId()))
                      .build()));
    }
    if (groups) {
      String name = context.name();
      forth("GROUP-CREATE-005", "CreateVolumeGroupSnapshot", c -> group = cutGroup(c, name));
    }
    changes();
  }

  /** On the spare volume, so that the other one stays as it was asked for. */
  private void changes() {
    if (context.advertises("ctrl:MODIFY_VOLUME")
        && !context.settings().mutableParameters().isEmpty()) {
      forth(
          "CTRL-MODIFY-007",
          "ControllerModifyVolume",
          c ->
              c.controller()
                  .controllerModifyVolume(
                      ControllerModifyVolumeRequest.newBuilder()
                          .setVolumeId(spare.getVolumeId())
                          .putAllMutableParams(c.settings().mutableParameters())
                          .build()));
    }
    if (context.advertises("ctrl:EXPAND_VOLUME")) {
      forth(
          "CTRL-EXPAND-005",
          "ControllerExpandVolume",
          c ->
              c.controller()
                  .controllerExpandVolume(
                      ControllerExpandVolumeRequest.newBuilder()
                          .setVolumeId(spare.getVolumeId())
                          .setCapacityRange(Requests.atLeast(c.settings().expandSize()))
                          .setVolumeCapability(c.requests().capability())
                          .build()));
    }
  }

  private void onNode() {
    NodeWork work = context.make().onNode();
    String target = work.targetPath();
    boolean stages = context.advertises(NodeSteps.STAGES);
    String staging = stages ? work.stagingPath() : "";
    boolean attaches = context.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME");
    if (attaches) {
      forth(
          "CTRL-PUB-007",
          "ControllerPublishVolume",
          c -> c.controller().controllerPublishVolume(c.requests().attach(volume).build()));
    }
    if (stages) {
      forth(
          "NODE-STAGE-006",
          "NodeStageVolume",
          c -> c.node().nodeStageVolume(taken(c, staging, attaches).stageRequest().build()));
    }
    forth(
        "NODE-PUB-009",
        "NodePublishVolume",
        c ->
            c.node().nodePublishVolume(taken(c, staging, attaches).publishRequest(target).build()));
    back(
        "NODE-UNPUB-007",
        "NodeUnpublishVolume",
        c -> NodeSteps.unpublish(c, volume.getVolumeId(), target));
    if (stages) {
      back(
          "NODE-UNSTAGE-004",
          "NodeUnstageVolume",
          c -> NodeSteps.unstage(c, volume.getVolumeId(), staging));
    }
    if (attaches) {
      back(
          "CTRL-UNPUB-003",
          "ControllerUnpublishVolume",
          c -> ControllerPublishCases.unpublish(c, volume.getVolumeId(), c.nodeInfo().getNodeId()));
    }
  }

  /** The volume with the context that an attachment, which is there already, answers. */
  private OnNode taken(CaseContext c, String staging, boolean attaches) {
    var attached =
        attaches
            ? c.controller().controllerPublishVolume(c.requests().attach(volume).build())
            : dev.csijava.spec.v1.ControllerPublishVolumeResponse.getDefaultInstance();
    return new OnNode(volume, c.requests().capability(), attached, staging);
  }

  private void removal() {
    if (groups) {
      back(
          "GROUP-DELETE-004",
          "DeleteVolumeGroupSnapshot",
          c ->
              c.group()
                  .deleteVolumeGroupSnapshot(
                      DeleteVolumeGroupSnapshotRequest.newBuilder()
                          .setGroupSnapshotId(group.getGroupSnapshotId())
                          .addAllSnapshotIds(GroupCases.ids(group))
                          .build()));
    }
    // Copies go before what they were made of, for drivers that hold on to it.
    back("CTRL-DELETE-004", "DeleteVolume", this::deleteCopies);
    if (snapshots) {
      back(
          "CTRL-DELSNAP-003",
          "DeleteSnapshot",
          c -> SnapshotCases.delete(c, snapshot.getSnapshotId()));
    }
    back("CTRL-DELETE-004", "DeleteVolume", c -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
  }

  private Message deleteCopies(CaseContext c) {
    Message last = Volume.getDefaultInstance();
    for (String id : volumes) {
      if (!id.equals(volume.getVolumeId())) {
        last = DeleteVolumeCases.delete(c, id);
      }
    }
    return last;
  }

  /** The spare volume grows, so that its size is not what stays. */
  private static Volume withoutSize(Volume volume) {
    return volume.toBuilder().clearCapacityBytes().build();
  }

  private Volume create(CaseContext c, CreateVolumeRequest request) {
    Volume made = c.controller().createVolume(request).getVolume();
    synchronized (volumes) {
      if (!volumes.contains(made.getVolumeId())) {
        volumes.add(made.getVolumeId());
      }
    }
    return made;
  }

  private Snapshot cut(CaseContext c, String name) {
    CreateSnapshotRequest request =
        c.requests().snapshot(volume.getVolumeId()).setName(name).build();
    return Patience.until(
        c.settings().callTimeout(),
        () -> c.controller().createSnapshot(request).getSnapshot(),
        Snapshot::getReadyToUse);
  }

  private VolumeGroupSnapshot cutGroup(CaseContext c, String name) {
    CreateVolumeGroupSnapshotRequest request =
        c.requests()
            .group(List.of(volume.getVolumeId(), spare.getVolumeId()))
            .setName(name)
            .build();
    return Patience.until(
        c.settings().callTimeout(),
        () -> c.group().createVolumeGroupSnapshot(request).getGroupSnapshot(),
        VolumeGroupSnapshot::getReadyToUse);
  }

  private void forth(String row, String what, Function<CaseContext, Message> call) {
    forth.add(new Step(row, what, call));
  }

  private void back(String row, String what, Function<CaseContext, Message> call) {
    back.add(new Step(row, what, call));
  }
}
