package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.Map;
import java.util.UUID;

/**
 * Plays kubelet: a new connection for every call, the capabilities asked for again and again, the
 * keys that Kubernetes adds, and repetition of what is not final. Every call must be answered for
 * one row.
 */
final class Kubelet {
  private static final String KEY = "csi.storage.k8s.io/";
  private static final int CAPABILITY_CALLS = 3;

  private final CaseContext c;
  private final String row;

  Kubelet(CaseContext context, String row) {
    context.needs("service:Node");
    this.c = context.calling(true, context.settings().callTimeout());
    this.row = row;
  }

  /** A pod that uses a volume at a target. */
  record Pod(String name, String uid, String target) {}

  Pod pod(String name) {
    return new Pod(name, UUID.randomUUID().toString(), c.make().onNode().targetPath());
  }

  NodeGetInfoResponse info() {
    return Retries.answer(
        c, row, () -> c.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
  }

  private void capabilities() {
    for (int i = 0; i < CAPABILITY_CALLS; i++) {
      Retries.answer(
          c,
          row,
          () -> c.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance()));
    }
  }

  /** The mode for a claim that one node may write: what the provisioner and kubelet agree on. */
  static Mode readWriteOnce(CaseContext c) {
    return c.advertises("ctrl:SINGLE_NODE_MULTI_WRITER") && c.advertises(NodeSteps.FINER_MODES)
        ? Mode.SINGLE_NODE_MULTI_WRITER
        : Mode.SINGLE_NODE_WRITER;
  }

  /** Attached, where the driver does that, and with a staging directory. */
  OnNode attach(Volume volume, VolumeCapability capability) {
    Volume written =
        volume.toBuilder()
            .putVolumeContext(
                "storage.kubernetes.io/csiProvisionerIdentity", "1700000000000-1-csi-testkit")
            .build();
    OnNode known = c.make().onNode().attach(volume, capability);
    return new OnNode(written, capability, known.attached(), known.stagingPath());
  }

  void stage(OnNode volume) {
    capabilities();
    if (!volume.stagingPath().isEmpty()) {
      Retries.answer(c, row, () -> c.node().nodeStageVolume(volume.stageRequest().build()));
    }
  }

  /** Publishes for a pod; each time with another token, as kubelet refreshes them. */
  void publish(OnNode volume, Pod pod, TokenPlace place) {
    capabilities();
    NodePublishVolumeRequest request = publishRequest(volume, pod, place);
    Retries.answer(c, row, () -> publishOnce(request));
  }

  NodePublishVolumeResponse publishOnce(NodePublishVolumeRequest request) {
    return c.node().nodePublishVolume(request);
  }

  NodePublishVolumeRequest publishRequest(OnNode volume, Pod pod, TokenPlace place) {
    NodePublishVolumeRequest.Builder request =
        volume
            .publishRequest(pod.target())
            .putVolumeContext(KEY + "pod.name", pod.name())
            .putVolumeContext(KEY + "pod.namespace", "default")
            .putVolumeContext(KEY + "pod.uid", pod.uid())
            .putVolumeContext(KEY + "serviceAccount.name", "default")
            .putVolumeContext(KEY + "ephemeral", "false");
    place.put(
        request,
        TokenPlace.fresh(),
        c.settings().secrets().getOrDefault("NodePublishVolume", Map.of()));
    return request.build();
  }

  /** Measures, where the driver does that. */
  void stats(OnNode volume, Pod pod) {
    if (c.advertises("node:GET_VOLUME_STATS")) {
      Retries.answer(c, row, () -> statsOnce(volume, pod));
    }
  }

  NodeGetVolumeStatsResponse statsOnce(OnNode volume, Pod pod) {
    return c.node()
        .nodeGetVolumeStats(
            NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(volume.volume().getVolumeId())
                .setVolumePath(pod.target())
                .setStagingTargetPath(volume.stagingPath())
                .build());
  }

  /** The node's part of growth. */
  NodeExpandVolumeResponse expand(OnNode volume, Pod pod, long bytes) {
    NodeExpandVolumeRequest request =
        NodeExpandVolumeRequest.newBuilder()
            .setVolumeId(volume.volume().getVolumeId())
            .setVolumePath(pod.target())
            .setStagingTargetPath(volume.stagingPath())
            .setVolumeCapability(volume.capability())
            .setCapacityRange(Requests.atLeast(bytes))
            .build();
    return Retries.answer(c, row, () -> c.node().nodeExpandVolume(request));
  }

  NodeUnpublishVolumeResponse unpublishOnce(OnNode volume, Pod pod) {
    return c.node().nodeUnpublishVolume(volume.unpublishRequest(pod.target()));
  }

  /** Takes the volume from the pod, and once more, as after a restart of kubelet. */
  void unpublish(OnNode volume, Pod pod) {
    Retries.answer(c, row, () -> unpublishOnce(volume, pod));
    Retries.answer(c, row, () -> unpublishOnce(volume, pod));
    nothingAt(pod.target());
  }

  void unstage(OnNode volume) {
    if (!volume.stagingPath().isEmpty()) {
      Retries.answer(c, row, () -> c.node().nodeUnstageVolume(volume.unstageRequest()));
      Retries.answer(c, row, () -> c.node().nodeUnstageVolume(volume.unstageRequest()));
      c.check(
          row,
          !SeenMounts.isMounted(volume.stagingPath()),
          "nothing mounted at the staging path",
          "a mount is left");
    }
  }

  private void nothingAt(String target) {
    if (c.make().onNode().canLook()) {
      PathKind kind = c.make().onNode().kindAt(target);
      c.check(row, kind == PathKind.NOT_FOUND, "nothing at the target", kind + " at " + target);
    }
  }

  /** Detaches, where the driver does that. */
  void detach(OnNode volume) {
    if (c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      Retries.answer(
          c,
          row,
          () ->
              ControllerPublishCases.unpublish(
                  c, volume.volume().getVolumeId(), c.nodeInfo().getNodeId()));
    }
  }
}
