package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import java.util.List;

/**
 * Makes what a case starts from. A refusal ends the case, whose open rows then fail; a capability
 * that is missing ends it too, and they are skipped.
 *
 * @since 0.1.0
 */
public final class Fixtures {
  private final CaseContext context;

  Fixtures(CaseContext context) {
    this.context = context;
  }

  /**
   * A new volume as configured.
   *
   * @since 0.1.0
   */
  public Volume volume() {
    return volume(context.requests().volume().build());
  }

  /**
   * A new volume that is used like this.
   *
   * @since 0.1.0
   */
  public Volume volume(VolumeCapability... capabilities) {
    return volume(
        context
            .requests()
            .volume()
            .clearVolumeCapabilities()
            .addAllVolumeCapabilities(List.of(capabilities))
            .build());
  }

  /**
   * The volume of this request.
   *
   * @since 0.1.0
   */
  public Volume volume(CreateVolumeRequest request) {
    context.needs("ctrl:CREATE_DELETE_VOLUME");
    return context.prepare(() -> context.controller().createVolume(request)).getVolume();
  }

  /**
   * A volume of this kind, if the driver has such: a refusal skips the case.
   *
   * @param capability how it is used
   * @param what for people, as in "block volumes"
   * @since 0.1.0
   */
  public Volume supportedVolume(VolumeCapability capability, String what) {
    context.needs("ctrl:CREATE_DELETE_VOLUME");
    CreateVolumeRequest request =
        context
            .requests()
            .volume()
            .clearVolumeCapabilities()
            .addVolumeCapabilities(capability)
            .build();
    Outcome<Volume> outcome =
        Outcome.of(() -> context.controller().createVolume(request).getVolume());
    context.need(outcome.ok(), "the driver makes no " + what + " (" + outcome + ")");
    return outcome.answer();
  }

  /**
   * A new snapshot of the volume.
   *
   * @since 0.1.0
   */
  public Snapshot snapshot(Volume volume) {
    return snapshot(context.requests().snapshot(volume.getVolumeId()).build());
  }

  /**
   * The snapshot of this request; waits until it is ready, by repeating the call.
   *
   * @since 0.1.0
   */
  public Snapshot snapshot(CreateSnapshotRequest request) {
    context.needs("ctrl:CREATE_DELETE_SNAPSHOT");
    Snapshot snapshot =
        Patience.until(
            context.settings().callTimeout(),
            () -> context.prepare(() -> context.controller().createSnapshot(request)).getSnapshot(),
            Snapshot::getReadyToUse);
    needReady("snapshot " + snapshot.getSnapshotId(), snapshot.getReadyToUse());
    return snapshot;
  }

  /** Else what follows would fail, and nobody would know why. */
  private void needReady(String what, boolean ready) {
    if (!ready) {
      throw new CaseStopped(
          CaseStopped.Kind.UNPREPARED,
          "the "
              + what
              + " is not ready after "
              + context.settings().callTimeout().toSeconds()
              + " s; a driver that needs longer has --call-timeout");
    }
  }

  /**
   * A new group snapshot of the volumes; waits until it is ready, by repeating the call.
   *
   * @since 0.1.0
   */
  public VolumeGroupSnapshot group(Volume... volumes) {
    context.needs("group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT");
    CreateVolumeGroupSnapshotRequest request =
        context
            .requests()
            .group(List.of(volumes).stream().map(Volume::getVolumeId).toList())
            .build();
    VolumeGroupSnapshot group =
        Patience.until(
            context.settings().callTimeout(),
            () ->
                context
                    .prepare(() -> context.group().createVolumeGroupSnapshot(request))
                    .getGroupSnapshot(),
            VolumeGroupSnapshot::getReadyToUse);
    boolean members = group.getSnapshotsList().stream().allMatch(Snapshot::getReadyToUse);
    needReady("group " + group.getGroupSnapshotId(), group.getReadyToUse() || members);
    return group;
  }

  /**
   * Attaches the volume to the node, if the driver has that step.
   *
   * @since 0.1.0
   */
  public ControllerPublishVolumeResponse attached(Volume volume, VolumeCapability capability) {
    if (!context.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      return ControllerPublishVolumeResponse.getDefaultInstance();
    }
    return context.prepare(
        () ->
            context
                .controller()
                .controllerPublishVolume(
                    context.requests().attach(volume).setVolumeCapability(capability).build()));
  }

  /**
   * A directory below which the driver may stage, and removes nothing.
   *
   * @since 0.1.0
   */
  public NodeWork onNode() {
    return context.nodeWork();
  }
}
