package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.ControllerPublishCases.publish;
import static dev.csijava.testkit.conformance.ControllerPublishCases.unpublish;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;

/** What takes a second node: one volume attached to two. */
final class SecondNodeCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "publish-to-second-node",
            "A volume for one node is not attached to another",
            SecondNodeCases::refusedElsewhere,
            "CTRL-PUB-010",
            "CTRL-PUB-011",
            "GEN-MODE-001",
            "CTRL-UNPUB-010"),
        Case.of(
            "publish-to-both-nodes",
            "A volume for many nodes is attached to two, and detached from one",
            SecondNodeCases::sharedBetween,
            "CTRL-PUB-012",
            "CTRL-UNPUB-007"),
        Case.of("GEN-MODE-003", c -> shared(c, Mode.MULTI_NODE_READER_ONLY, true)),
        Case.of("GEN-MODE-004", c -> shared(c, Mode.MULTI_NODE_SINGLE_WRITER, true)),
        Case.of("GEN-MODE-005", c -> shared(c, Mode.MULTI_NODE_MULTI_WRITER, false)));
  }

  private static void refusedElsewhere(CaseContext c) {
    c.needs("ctrl:PUBLISH_UNPUBLISH_VOLUME");
    String other = other(c);
    Volume volume = c.make().volume();
    String here = c.nodeInfo().getNodeId();
    c.prepare(() -> publish(c, c.requests().attach(volume)));
    Outcome<ControllerPublishVolumeResponse> refusal =
        Outcome.of(() -> publish(c, c.requests().attach(volume).setNodeId(other)));
    c.judge("CTRL-PUB-010", refusal, false);
    c.judge("GEN-MODE-001", refusal, false);
    Kept.attachedTo(c, volume, here);
    c.check("CTRL-PUB-011", refusal.message().contains(here), "a message with " + here, refusal);
    c.prepare(() -> unpublish(c, volume.getVolumeId(), here));
    c.ok("CTRL-UNPUB-010", () -> publish(c, c.requests().attach(volume).setNodeId(other)));
  }

  private static void sharedBetween(CaseContext c) {
    String other = other(c);
    VolumeCapability many = c.requests().capability(Mode.MULTI_NODE_MULTI_WRITER);
    Volume volume = c.make().supportedVolume(many, "volumes for many nodes");
    ControllerPublishVolumeRequest.Builder request =
        c.requests().attach(volume).setVolumeCapability(many);
    c.prepare(() -> publish(c, request));
    c.ok("CTRL-PUB-012", () -> publish(c, request.clone().setNodeId(other)));
    c.prepare(() -> unpublish(c, volume.getVolumeId(), other));
    // The first node kept it. Asked before it is attached there once more, which would mend it.
    if (c.advertises("ctrl:LIST_VOLUMES_PUBLISHED_NODES")) {
      var nodes =
          Listing.volumes(c).stream()
              .filter(entry -> entry.getVolume().getVolumeId().equals(volume.getVolumeId()))
              .map(entry -> entry.getStatus().getPublishedNodeIdsList())
              .toList();
      c.same("CTRL-UNPUB-007", List.of(List.of(c.nodeInfo().getNodeId())), nodes);
    }
    c.ok("CTRL-UNPUB-007", () -> publish(c, request));
  }

  private static void shared(CaseContext c, Mode mode, boolean readonlySecond) {
    c.needs("ctrl:PUBLISH_UNPUBLISH_VOLUME");
    String other = other(c);
    VolumeCapability many = c.requests().capability(mode);
    Volume volume = c.make().supportedVolume(many, "volumes of mode " + mode);
    boolean readonly = readonlySecond && c.advertises("ctrl:PUBLISH_READONLY");
    boolean readers = mode == Mode.MULTI_NODE_READER_ONLY;
    ControllerPublishVolumeRequest.Builder request =
        c.requests().attach(volume).setVolumeCapability(many);
    c.ok(() -> publish(c, request.setReadonly(readonly && readers)));
    c.ok(() -> publish(c, request.clone().setNodeId(other).setReadonly(readonly)));
    if (mode == Mode.MULTI_NODE_SINGLE_WRITER && readonly) {
      c.prepare(() -> unpublish(c, volume.getVolumeId(), other));
      Outcome<?> writer =
          Outcome.of(() -> publish(c, request.clone().setNodeId(other).setReadonly(false)));
      c.check(!writer.ok(), "a second writer refused", writer);
    }
  }

  private static String other(CaseContext c) {
    c.need(c.settings().secondNodeId().isPresent(), "--second-node-id is not given");
    return c.settings().secondNodeId().orElse("");
  }
}
