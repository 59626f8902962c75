package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.Kubelet.Pod;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.time.Duration;
import java.util.List;

/** The whole life of a claim, as the calls of all callers together that a cluster logs. */
final class ClaimCases implements CaseGroup {
  private static final String ROW = "ENGINE-CALLER-017";
  private static final Duration SIDECAR = Duration.ofSeconds(15);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
                "engine-callers-claim",
                "The whole life of a claim",
                ClaimCases::life,
                ROW,
                "GEN-LIFE-001",
                "GEN-LIFE-003")
            .runAlone());
  }

  private static void life(CaseContext context) {
    CaseContext c = context.calling(false, SIDECAR);
    Holdings before = Holdings.of(c, ROW);
    if (c.advertises("service:Node")) {
      c.settings()
          .registrationSocket()
          .ifPresentOrElse(
              socket -> IdentityCallerCases.register(context, ROW, socket.toString()),
              () -> new Kubelet(c, ROW).info());
    }
    ProvisionerCases.start(c, ROW);
    Volume volume =
        ProvisionerCases.provision(
            c, ROW, ProvisionerCases.request(c).clearAccessibilityRequirements());
    if (c.advertises("service:Node")) {
      onNode(c, volume);
    } else {
      copies(c, volume, false);
    }
    ProvisionerCases.delete(c, ROW, volume);
    Holdings left = Holdings.of(c, ROW).since(before);
    c.check(ROW, !left.volumes().contains(volume.getVolumeId()), "nothing left", left);
    c.check("GEN-LIFE-003", !left.volumes().contains(volume.getVolumeId()), "nothing", left);
  }

  private static void onNode(CaseContext c, Volume volume) {
    Kubelet kubelet = new Kubelet(c, ROW);
    OnNode onNode = kubelet.attach(volume, c.requests().capability(Kubelet.readWriteOnce(c)));
    Pod one = kubelet.pod("web-0");
    Pod two = kubelet.pod("web-1");
    kubelet.stage(onNode);
    kubelet.publish(onNode, one, TokenPlace.VOLUME_CONTEXT);
    kubelet.stats(onNode, one);
    c.check("GEN-LIFE-001", true, "", "");
    boolean grows =
        c.advertises("ctrl:EXPAND_VOLUME") && c.advertises("plugin:VolumeExpansion.ONLINE");
    if (grows) {
      ControllerExpandVolumeResponse grown = ControllerCallerCases.grow(c, ROW, volume);
      if (grown.getNodeExpansionRequired()) {
        kubelet.expand(onNode, one, grown.getCapacityBytes());
      }
    }
    copies(c, volume, grows);
    boolean both = onNode.capability().getAccessMode().getMode() == Mode.SINGLE_NODE_MULTI_WRITER;
    if (both) {
      kubelet.publish(onNode, two, TokenPlace.SECRETS);
      kubelet.stats(onNode, two);
      List<Outcome<Object>> ends =
          c.together(
              List.of(
                  () -> kubelet.unpublishOnce(onNode, one),
                  () -> kubelet.unpublishOnce(onNode, two)));
      ends.forEach(
          end -> c.check(ROW, end.ok() || Retries.nonFinal(end.code()), "OK, or later", end));
      kubelet.unpublish(onNode, two);
    }
    kubelet.unpublish(onNode, one);
    kubelet.unstage(onNode);
    kubelet.detach(onNode);
  }

  /** A snapshot while the volume is in use, and a volume that is restored from it. */
  private static void copies(CaseContext c, Volume volume, boolean grown) {
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      Snapshot snapshot = SnapshotterCases.cut(c, ROW, volume);
      Volume restored =
          Retries.answer(
              c,
              ROW,
              () ->
                  c.controller()
                      .createVolume(
                          SnapshotCases.from(c, snapshot.getSnapshotId())
                              .setCapacityRange(Requests.atLeast(size(c, snapshot, grown)))
                              .setName(c.name())
                              .build())
                      .getVolume());
      ProvisionerCases.delete(c, ROW, restored);
      SnapshotterCases.delete(c, ROW, snapshot);
    }
  }

  /** That of the source: not every driver makes a volume larger, and none makes one smaller. */
  private static long size(CaseContext c, Snapshot snapshot, boolean grown) {
    return Math.max(
        snapshot.getSizeBytes(), grown ? c.settings().expandSize() : c.settings().size());
  }
}
