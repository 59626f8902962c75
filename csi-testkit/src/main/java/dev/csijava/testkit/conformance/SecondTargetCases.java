package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.publish;

import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.util.List;

/** NodePublishVolume of a volume that is published already, mode by mode. */
final class SecondTargetCases implements CaseGroup {
  private static final List<Mode> MANY_NODES =
      List.of(
          Mode.MULTI_NODE_MULTI_WRITER, Mode.MULTI_NODE_SINGLE_WRITER, Mode.MULTI_NODE_READER_ONLY);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-PUB-013", c -> c.ok(() -> second(c, manyNodes(c), false))),
        Case.of("NODE-PUB-014", c -> readerBesideWriter(c, manyNodes(c))),
        Case.of("NODE-PUB-015", c -> refusedSecond(c, Mode.SINGLE_NODE_WRITER, false)),
        Case.of("NODE-PUB-016", c -> refusedSecond(c, Mode.SINGLE_NODE_WRITER, true)),
        Case.of("NODE-PUB-017", SecondTargetCases::otherCapability),
        Case.of("NODE-PUB-018", c -> refusedSecond(c, Mode.SINGLE_NODE_SINGLE_WRITER, false)),
        Case.of("NODE-PUB-019", c -> refusedSecond(c, Mode.SINGLE_NODE_SINGLE_WRITER, true)),
        Case.of("NODE-PUB-020", c -> c.ok(() -> second(c, Mode.SINGLE_NODE_MULTI_WRITER, false))),
        Case.of("NODE-PUB-021", c -> readerBesideWriter(c, Mode.SINGLE_NODE_MULTI_WRITER)),
        Case.of("NODE-PUB-022", SecondTargetCases::sameTarget),
        Case.of("NODE-PUB-023", SecondTargetCases::sameTargetOtherwise),
        Case.of("NODE-PUB-024", c -> c.ok(() -> second(c, manyNodes(c), false))),
        Case.of("NODE-PUB-025", SecondTargetCases::oldModes));
  }

  /** A mode for many nodes that the driver makes volumes for. */
  private static Mode manyNodes(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    for (Mode mode : MANY_NODES) {
      Outcome<?> made =
          Outcome.of(
              () ->
                  c.controller()
                      .createVolume(
                          c.requests()
                              .volume()
                              .setVolumeCapabilities(0, c.requests().capability(mode))
                              .build()));
      if (made.ok()) {
        return mode;
      }
    }
    c.need(false, "the driver makes no volumes for many nodes");
    return Mode.UNKNOWN;
  }

  /**
   * The rows say SHOULD: of a raw block device, one node can't be kept from writing through one
   * path while it may write through another, and to refuse is better than to let it.
   */
  private static void readerBesideWriter(CaseContext c, Mode mode) {
    if (c.settings().accessType() == Settings.AccessType.BLOCK) {
      Outcome<Object> outcome = Outcome.of(() -> second(c, mode, true));
      c.need(
          outcome.code() != Status.Code.FAILED_PRECONDITION,
          "the driver refuses a reader beside a writer of a raw block volume, which SHOULD allows");
      c.check(outcome.ok(), "OK", outcome);
    } else {
      c.ok(() -> second(c, mode, true));
    }
  }

  /** Publishes a volume at one target, then at another. */
  private static Object second(CaseContext c, Mode mode, boolean otherwise) {
    OnNode volume = NodeSteps.staged(c, mode);
    c.make().onNode().publish(volume);
    NodePublishVolumeRequest.Builder request =
        volume.publishRequest(c.make().onNode().targetPath()).setReadonly(otherwise);
    return publish(c, request);
  }

  /** The second target is refused, and the first one stays. */
  private static void refusedSecond(CaseContext c, Mode mode, boolean readonly) {
    OnNode volume = NodeSteps.staged(c, mode);
    Kept.Place first = Kept.place(c, c.make().onNode().publish(volume));
    String target = c.make().onNode().targetPath();
    c.refused(() -> publish(c, volume.publishRequest(target).setReadonly(readonly)));
    first.stays(c);
    c.check(!SeenMounts.isMounted(target), "nothing mounted at the second target", "a mount");
  }

  private static void otherCapability(CaseContext c) {
    OnNode volume = NodeSteps.forBothModes(c);
    if (c.advertises(NodeSteps.STAGES)) {
      c.prepare(() -> NodeSteps.stage(c, volume.stageRequest()));
    }
    c.make().onNode().publish(volume);
    NodePublishVolumeRequest.Builder request =
        volume
            .publishRequest(c.make().onNode().targetPath())
            .setVolumeCapability(NodeSteps.reader(c));
    c.answers("NODE-PUB-017", () -> publish(c, request));
  }

  private static void sameTarget(CaseContext c) {
    for (Mode mode : NodeSteps.finerModes(c)) {
      OnNode volume = NodeSteps.staged(c, mode);
      String target = c.make().onNode().publish(volume);
      c.ok(() -> publish(c, volume.publishRequest(target)));
    }
  }

  private static void sameTargetOtherwise(CaseContext c) {
    for (Mode mode : NodeSteps.finerModes(c)) {
      OnNode volume = NodeSteps.staged(c, mode);
      String target = c.make().onNode().publish(volume);
      Kept.Place before = Kept.place(c, target);
      c.refused(() -> publish(c, volume.publishRequest(target).setReadonly(true)));
      before.stays(c);
    }
  }

  private static void oldModes(CaseContext c) {
    refusedSecond(c, Mode.SINGLE_NODE_WRITER, false);
    refusedSecond(c, Mode.SINGLE_NODE_READER_ONLY, false);
  }
}
