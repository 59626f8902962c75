package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.util.List;

/** The whole life of a volume, forth and back. */
final class LifecycleCases implements CaseGroup {
  private static final String STAGES = "node:STAGE_UNSTAGE_VOLUME";

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-LIFE-001", LifecycleCases::forth),
        Case.of(
            "GEN-LIFE-002",
            c -> {
              c.needs("service:Node");
              c.need(!c.advertises(STAGES), "the driver stages volumes");
              forth(c);
            }),
        Case.of("GEN-LIFE-003", LifecycleCases::back),
        Case.of(
            "GEN-LIFE-004",
            c -> {
              String id = c.settings().existingVolumeId().orElse("");
              c.need(!id.isEmpty(), "--existing-volume-id is not given");
              Volume volume = NodeSteps.existing(c, id);
              if (c.advertises("plugin:CONTROLLER_SERVICE")) {
                c.ok(() -> ValidateCases.validate(c, volume, c.requests().capability()));
              }
              if (c.advertises("service:Node")) {
                NodeWork node = c.make().onNode();
                OnNode onNode = node.stage(volume, c.requests().capability());
                var request = onNode.publishRequest(node.targetPath()).build();
                c.ok(() -> c.node().nodePublishVolume(request));
              }
            }),
        Case.of(
            "GEN-LIFE-005",
            c -> {
              c.need(
                  !c.advertises("plugin:CONTROLLER_SERVICE") && !c.advertises(STAGES),
                  "the driver has a controller, or stages volumes");
              NodeWork node = c.make().onNode();
              OnNode onNode = foreign(c);
              String target = node.targetPath();
              c.ok(() -> c.node().nodePublishVolume(onNode.publishRequest(target).build()));
              c.ok(() -> c.node().nodeUnpublishVolume(onNode.unpublishRequest(target)));
            }),
        Case.of(
            "GEN-LIFE-006",
            c -> {
              c.needs("service:Node");
              NodeWork node = c.make().onNode();
              c.ok(() -> c.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance()));
              String target = node.publish(NodeSteps.usable(c));
              c.check(
                  node.kindAt(target) != PathKind.NOT_FOUND,
                  "something at the target on the node's host",
                  "nothing at " + target);
            }));
  }

  /** A volume that no controller made. */
  private static OnNode foreign(CaseContext c) {
    if (c.settings().inlineAttributes().isPresent()) {
      return InlineCallerCases.volume(c);
    }
    String id = c.settings().existingVolumeId().orElse("");
    c.need(!id.isEmpty(), "--existing-volume-id and --inline-attributes are not given");
    Volume volume = NodeSteps.existing(c, id);
    return c.make().onNode().attach(volume, c.requests().capability());
  }

  private static void forth(CaseContext c) {
    Volume volume = c.make().volume();
    NodeWork node = c.make().onNode();
    OnNode onNode = node.attach(volume, c.requests().capability());
    if (c.advertises(STAGES)) {
      c.ok(() -> c.node().nodeStageVolume(onNode.stageRequest().build()));
    }
    c.ok(() -> c.node().nodePublishVolume(onNode.publishRequest(node.targetPath()).build()));
  }

  private static void back(CaseContext c) {
    c.needs("service:Node");
    Volume volume = c.make().volume();
    NodeWork node = c.make().onNode();
    OnNode onNode = node.stage(volume, c.requests().capability());
    String target = node.publish(onNode);
    c.ok(() -> c.node().nodeUnpublishVolume(onNode.unpublishRequest(target)));
    if (node.canLook()) {
      PathKind kind = node.kindAt(target);
      c.check(kind == PathKind.NOT_FOUND, "nothing at the target", kind + " at " + target);
    }
    if (c.advertises(STAGES)) {
      c.ok(() -> c.node().nodeUnstageVolume(onNode.unstageRequest()));
      c.check(
          !SeenMounts.isMounted(onNode.stagingPath()), "nothing mounted there", "a mount is left");
    }
    if (c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      String here = c.nodeInfo().getNodeId();
      c.ok(() -> ControllerPublishCases.unpublish(c, volume.getVolumeId(), here));
    }
    c.ok(() -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    Outcome<?> found =
        Outcome.of(() -> ValidateCases.validate(c, volume, c.requests().capability()));
    c.check(found.code() == Status.Code.NOT_FOUND, "NOT_FOUND after the deletion", found);
  }
}
