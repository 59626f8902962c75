package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.publish;
import static dev.csijava.testkit.conformance.NodeSteps.unpublish;

import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.List;

/** NodeUnpublishVolume. */
final class UnpublishCases implements CaseGroup {
  /** A volume at a target. */
  private record Published(String volumeId, String target) {
    static Published one(CaseContext c) {
      OnNode volume = NodeSteps.usable(c);
      return new Published(volume.volume().getVolumeId(), c.make().onNode().publish(volume));
    }
  }

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "NODE-UNPUB-001",
            c -> {
              Published one = Published.one(c);
              c.ok(() -> unpublish(c, one.volumeId(), one.target()));
            }),
        Case.of(
            "NODE-UNPUB-002", c -> c.refused(() -> unpublish(c, "", Published.one(c).target()))),
        Case.of(
            "NODE-UNPUB-003", c -> c.refused(() -> unpublish(c, Published.one(c).volumeId(), ""))),
        Case.of(
            "NODE-UNPUB-004",
            c ->
                c.answers(
                    "NODE-UNPUB-004",
                    () -> unpublish(c, c.requests().unknownId(), c.make().onNode().targetPath()))),
        Case.of("NODE-UNPUB-005", UnpublishCases::targetIsGone),
        Case.of("NODE-UNPUB-006", UnpublishCases::undone),
        Case.of("NODE-UNPUB-007", UnpublishCases::notPublished),
        Case.of("NODE-UNPUB-008", UnpublishCases::otherTargetsStay),
        Case.of(
            "NODE-UNPUB-009",
            c -> {
              Published one = Published.one(c);
              Kept.Place before = Kept.place(c, one.target());
              NodeSteps.refusedOrNothingThere(
                  c, Outcome.of(() -> unpublish(c, one.volumeId(), NodeSteps.RELATIVE)));
              before.stays(c);
            }),
        Case.of("NODE-UNPUB-010", UnpublishCases::pathOf128Bytes),
        Case.of("NODE-UNPUB-011", UnpublishCases::foreignTarget));
  }

  private static boolean exists(CaseContext c, String path) {
    return c.make().onNode().kindAt(path) != PathKind.NOT_FOUND;
  }

  private static void targetIsGone(CaseContext c) {
    Published one = Published.one(c);
    PathKind before = c.make().onNode().kindAt(one.target());
    c.need(
        before != PathKind.NOT_FOUND,
        "nothing is seen at the target of a volume that is published there");
    c.ok(() -> unpublish(c, one.volumeId(), one.target()));
    PathKind after = c.make().onNode().kindAt(one.target());
    c.check(after == PathKind.NOT_FOUND, "nothing at the target", "left there: " + after);
  }

  /** The volume is free again: it can be published elsewhere, as a single writer. */
  private static void undone(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = c.make().onNode().publish(volume);
    c.ok(() -> unpublish(c, volume.volume().getVolumeId(), target));
    c.check(!SeenMounts.isMounted(target), "nothing mounted at the target", "a mount");
    c.ok(() -> publish(c, volume.publishRequest(c.make().onNode().targetPath())));
  }

  private static void notPublished(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    String id = volume.volume().getVolumeId();
    c.ok(() -> unpublish(c, id, c.make().onNode().targetPath()));
    String target = c.make().onNode().publish(volume);
    for (int i = 0; i < 3; i++) {
      c.ok(() -> unpublish(c, id, target));
    }
  }

  private static void otherTargetsStay(CaseContext c) {
    Mode mode =
        c.advertises(NodeSteps.FINER_MODES)
            ? Mode.SINGLE_NODE_MULTI_WRITER
            : Mode.MULTI_NODE_MULTI_WRITER;
    OnNode volume = NodeSteps.staged(c, mode);
    String first = c.make().onNode().publish(volume);
    String second = c.make().onNode().publish(volume);
    boolean mounted = SeenMounts.isMounted(second);
    c.ok(() -> unpublish(c, volume.volume().getVolumeId(), first));
    c.check(
        exists(c, second) && mounted == SeenMounts.isMounted(second),
        "the other target is as before",
        "it is gone");
  }

  private static void pathOf128Bytes(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = NodeSteps.of128Bytes(c.make().onNode().targetPath());
    c.prepare(() -> publish(c, volume.publishRequest(target)));
    c.ok(() -> unpublish(c, volume.volume().getVolumeId(), target));
  }

  private static void foreignTarget(CaseContext c) {
    Published other = Published.one(c);
    OnNode volume = NodeSteps.usable(c);
    boolean mounted = SeenMounts.isMounted(other.target());
    Outcome<?> outcome =
        Outcome.of(() -> unpublish(c, volume.volume().getVolumeId(), other.target()));
    // OK says that this volume is not there, which is true as long as the other one stays.
    c.check(
        outcome.ok() || Codes.answered(outcome.code()),
        "a refusal, or OK with nothing touched",
        outcome);
    c.note("NODE-UNPUB-011", "seen: " + outcome.code());
    c.check(
        exists(c, other.target()) && mounted == SeenMounts.isMounted(other.target()),
        "the other volume stays where it is",
        "it is gone");
  }
}
