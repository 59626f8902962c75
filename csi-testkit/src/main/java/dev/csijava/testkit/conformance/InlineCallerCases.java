package dev.csijava.testkit.conformance;

import com.google.common.hash.Hashing;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.Kubelet.Pod;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * What kubelet does with a volume that stands in a pod's own manifest: it alone calls, with an id
 * of its own, and the volume lives as long as the pod.
 */
final class InlineCallerCases implements CaseGroup {
  private static final String ROW = "ENGINE-CALLER-018";
  private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";
  private static final String NAME = "scratch";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-kubelet-inline",
            "A volume of a pod's manifest lives as long as the pod",
            InlineCallerCases::inline,
            ROW));
  }

  /** Kubelet's id of an inline volume. */
  static String handle(Pod pod) {
    return "csi-"
        + Hashing.sha256().hashString(pod.uid() + NAME, StandardCharsets.UTF_8).toString();
  }

  private static void inline(CaseContext c) {
    Kubelet kubelet = new Kubelet(c, ROW);
    Pod pod = kubelet.pod("inline-0");
    OnNode volume = volume(c, pod);
    Outcome<?> first =
        Outcome.of(
            () -> kubelet.publishOnce(request(kubelet, volume, pod, TokenPlace.VOLUME_CONTEXT)));
    if (!first.ok() && !Retries.nonFinal(first.code())) {
      // Such a pod never starts, and goes all the same.
      kubelet.unpublish(volume, pod);
      c.note(ROW, "the driver has no inline volumes (" + first + ")");
      return;
    }
    for (TokenPlace place :
        List.of(TokenPlace.VOLUME_CONTEXT, TokenPlace.SECRETS, TokenPlace.SECRETS)) {
      NodePublishVolumeRequest again = request(kubelet, volume, pod, place);
      Retries.answer(c, ROW, () -> kubelet.publishOnce(again));
      kubelet.stats(volume, pod);
      long mounts = SeenMounts.count(pod.target());
      c.check(ROW, mounts <= 1, "one mount at the target", mounts + " mounts");
    }
    if (c.make().onNode().canLook()) {
      PathKind kind = c.make().onNode().kindAt(pod.target());
      c.check(ROW, kind == PathKind.DIRECTORY, "a directory at the target", kind);
    }
    kubelet.unpublish(volume, pod);
    c.check(ROW, !SeenMounts.isMounted(pod.target()), "nothing mounted then", "a mount is left");
    Outcome<?> late = Outcome.of(() -> kubelet.statsOnce(volume, pod));
    if (c.advertises("node:GET_VOLUME_STATS")) {
      c.check(ROW, !late.ok(), "the volume is gone with its pod", late);
    }
  }

  /**
   * A volume of a pod's manifest with all that kubelet would say of it, not published yet; for
   * cases that look at one call of the Node service alone.
   */
  static OnNode volume(CaseContext c) {
    c.need(
        c.settings().accessType() == Settings.AccessType.MOUNT,
        "volumes in pods' manifests are no block volumes");
    Kubelet kubelet = new Kubelet(c, ROW);
    Pod pod = kubelet.pod("inline-" + c.name());
    OnNode plain = volume(c, pod);
    NodePublishVolumeRequest known = request(kubelet, plain, pod, TokenPlace.VOLUME_CONTEXT);
    return new OnNode(
        plain.volume().toBuilder().putAllVolumeContext(known.getVolumeContextMap()).build(),
        plain.capability(),
        plain.attached(),
        plain.stagingPath());
  }

  /** Nothing is created, attached or staged. */
  private static OnNode volume(CaseContext c, Pod pod) {
    VolumeCapability capability = c.requests().mount(Mode.SINGLE_NODE_WRITER);
    return new OnNode(
        Volume.newBuilder()
            .setVolumeId(handle(pod))
            .putAllVolumeContext(c.settings().inlineAttributes().orElse(c.settings().parameters()))
            .build(),
        capability,
        dev.csijava.spec.v1.ControllerPublishVolumeResponse.getDefaultInstance(),
        "");
  }

  private static NodePublishVolumeRequest request(
      Kubelet kubelet, OnNode volume, Pod pod, TokenPlace place) {
    return kubelet.publishRequest(volume, pod, place).toBuilder()
        .putVolumeContext(EPHEMERAL, "true")
        .build();
  }
}
