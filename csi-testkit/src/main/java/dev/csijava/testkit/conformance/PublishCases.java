package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.publish;

import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.List;
import java.util.Map;

/** NodePublishVolume: arguments, and the same target again. */
final class PublishCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-PUB-001", c -> c.ok(() -> publish(c, request(c)))),
        Case.of("NODE-PUB-002", c -> c.refused(() -> publish(c, request(c).setVolumeId("")))),
        Case.of("NODE-PUB-003", c -> c.refused(() -> publish(c, request(c).setTargetPath("")))),
        Case.of("NODE-PUB-004", PublishCases::noCapability),
        Case.of(
            "NODE-PUB-005",
            c -> c.refused(() -> publish(c, staged(c).setVolumeId(c.requests().unknownId())))),
        Case.of(
            "NODE-PUB-006", c -> c.refused(() -> publish(c, staged(c).setStagingTargetPath("")))),
        Case.of("NODE-PUB-007", PublishCases::neverStaged),
        Case.of(
            "NODE-PUB-008",
            c -> {
              VolumeCapability unservable = NodeSteps.unservable(c);
              NodeSteps.unserved(
                  c, Outcome.of(() -> publish(c, staged(c).setVolumeCapability(unservable))));
            }),
        Case.of("NODE-PUB-009", PublishCases::again),
        Case.of(
            "NODE-PUB-010",
            c -> {
              NodePublishVolumeRequest.Builder request = published(c);
              Kept.Place before = Kept.place(c, request.getTargetPath());
              c.refused(() -> publish(c, request.setReadonly(true)));
              before.stays(c);
            }),
        Case.of("NODE-PUB-011", PublishCases::againOtherwise),
        Case.of("NODE-PUB-012", PublishCases::otherSecrets),
        Case.of("NODE-PUB-031", PublishCases::relativePaths),
        Case.of(
            "NODE-PUB-032",
            c ->
                c.ok(
                    () -> {
                      NodePublishVolumeRequest.Builder request = request(c);
                      String path = NodeSteps.of128Bytes(request.getTargetPath());
                      return publish(c, request.setTargetPath(path));
                    })),
        Case.of(
            "NODE-PUB-033",
            c ->
                c.refusedOrIgnored(
                    "a key in volume_context that is not the volume's",
                    () -> publish(c, staged(c).putAllVolumeContext(NodeSteps.STRANGE_CONTEXT)))));
  }

  private static NodePublishVolumeRequest.Builder request(CaseContext c) {
    return NodeSteps.usable(c).publishRequest(c.make().onNode().targetPath());
  }

  /** Of a volume that was made before; one of a pod's manifest is whatever the request says. */
  private static NodePublishVolumeRequest.Builder staged(CaseContext c) {
    return NodeSteps.staged(c).publishRequest(c.make().onNode().targetPath());
  }

  private static NodePublishVolumeRequest.Builder published(CaseContext c) {
    NodePublishVolumeRequest.Builder request = request(c);
    c.prepare(() -> publish(c, request));
    return request;
  }

  private static void noCapability(CaseContext c) {
    c.refused(() -> publish(c, request(c).clearVolumeCapability()));
    c.refused(() -> publish(c, request(c).clearVolumeCapability().setStagingTargetPath("")));
  }

  private static void neverStaged(CaseContext c) {
    OnNode volume = c.make().onNode().attach(c.make().volume(), c.requests().capability());
    String target = c.make().onNode().targetPath();
    Outcome<?> outcome = Outcome.of(() -> publish(c, volume.publishRequest(target)));
    // A raw block volume shows nothing at its staging path, only at the target.
    boolean block = c.settings().accessType() == Settings.AccessType.BLOCK;
    if (outcome.ok() && SeenMounts.isMounted(block ? target : volume.stagingPath())) {
      c.note("NODE-PUB-007", "seen: OK, and the driver has staged the volume by itself");
      c.check(true, "staged before it is published", "staged");
    } else {
      c.judge("NODE-PUB-007", outcome, false);
    }
  }

  private static void again(CaseContext c) {
    NodePublishVolumeRequest.Builder request = request(c);
    for (int i = 0; i < 3; i++) {
      c.ok(() -> publish(c, request));
    }
  }

  private static void againOtherwise(CaseContext c) {
    OnNode volume = NodeSteps.forBothModes(c);
    if (c.advertises(NodeSteps.STAGES)) {
      c.prepare(() -> NodeSteps.stage(c, volume.stageRequest()));
    }
    String target = c.make().onNode().publish(volume);
    Kept.Place before = Kept.place(c, target);
    c.refused(
        () -> publish(c, volume.publishRequest(target).setVolumeCapability(NodeSteps.reader(c))));
    before.stays(c);
  }

  private static void otherSecrets(CaseContext c) {
    c.need(
        c.settings().secrets().getOrDefault("NodePublishVolume", Map.of()).isEmpty(),
        "the driver needs the configured secrets, and no others are known");
    NodePublishVolumeRequest.Builder request = published(c);
    c.ok(() -> publish(c, request.putSecrets("csi-testkit", "another")));
  }

  private static void relativePaths(CaseContext c) {
    c.refused(() -> publish(c, request(c).setTargetPath(NodeSteps.RELATIVE)));
    NodePublishVolumeRequest.Builder request = request(c);
    if (!request.getStagingTargetPath().isEmpty()) {
      c.refused(() -> publish(c, request.setStagingTargetPath(NodeSteps.RELATIVE)));
    }
  }
}
