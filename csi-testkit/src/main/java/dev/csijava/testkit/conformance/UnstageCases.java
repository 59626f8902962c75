package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.NodeSteps.stage;

import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** NodeUnstageVolume. */
final class UnstageCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-UNSTAGE-001", c -> c.ok(() -> unstage(c, NodeSteps.staged(c)))),
        Case.of(
            "NODE-UNSTAGE-002",
            c -> c.refused(() -> NodeSteps.unstage(c, "", NodeSteps.staged(c).stagingPath()))),
        Case.of("NODE-UNSTAGE-003", c -> c.refused(() -> unstage(c, NodeSteps.staged(c), ""))),
        Case.of("NODE-UNSTAGE-004", UnstageCases::notStaged),
        Case.of(
            "NODE-UNSTAGE-005",
            c ->
                c.answers(
                    "NODE-UNSTAGE-005",
                    () ->
                        NodeSteps.unstage(
                            c, c.requests().unknownId(), c.make().onNode().stagingPath()))),
        Case.of("NODE-UNSTAGE-006", UnstageCases::undone),
        Case.of(
            "NODE-UNSTAGE-007",
            c -> {
              OnNode volume = NodeSteps.staged(c);
              Kept.Place before = Kept.place(c, volume.stagingPath());
              NodeSteps.refusedOrNothingThere(
                  c, Outcome.of(() -> unstage(c, volume, NodeSteps.RELATIVE)));
              before.stays(c);
            }),
        Case.of("NODE-UNSTAGE-008", UnstageCases::pathOf128Bytes),
        Case.of("NODE-UNSTAGE-009", UnstageCases::stillPublished));
  }

  private static NodeUnstageVolumeResponse unstage(CaseContext c, OnNode volume) {
    return unstage(c, volume, volume.stagingPath());
  }

  private static NodeUnstageVolumeResponse unstage(CaseContext c, OnNode volume, String path) {
    return NodeSteps.unstage(c, volume.volume().getVolumeId(), path);
  }

  private static void notStaged(CaseContext c) {
    OnNode never = c.make().onNode().attach(c.make().volume(), c.requests().capability());
    c.ok(() -> unstage(c, never));
    OnNode volume = NodeSteps.staged(c);
    for (int i = 0; i < 3; i++) {
      c.ok(() -> unstage(c, volume));
    }
  }

  /** What was undone is not there any more: the path is free for another capability. */
  private static void undone(CaseContext c) {
    OnNode volume = NodeSteps.forBothModes(c);
    c.prepare(() -> stage(c, volume.stageRequest()));
    c.ok(() -> unstage(c, volume));
    c.check(
        !SeenMounts.isMounted(volume.stagingPath()),
        "nothing mounted at the staging path",
        "a mount");
    c.ok(() -> stage(c, volume.stageRequest().setVolumeCapability(NodeSteps.reader(c))));
  }

  private static void pathOf128Bytes(CaseContext c) throws IOException {
    c.make().onNode().needFiles();
    OnNode volume = c.make().onNode().attach(c.make().volume(), c.requests().capability());
    Path path = Path.of(NodeSteps.of128Bytes(volume.stagingPath()));
    Files.createDirectories(path);
    try {
      c.prepare(() -> stage(c, volume.stageRequest().setStagingTargetPath(path.toString())));
      c.ok(() -> unstage(c, volume, path.toString()));
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static void stillPublished(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    String target = c.make().onNode().publish(volume);
    boolean mounted = SeenMounts.isMounted(target);
    boolean looks = c.make().onNode().canLook();
    PathKind before = looks ? c.make().onNode().kindAt(target) : PathKind.NOT_FOUND;
    Outcome<NodeUnstageVolumeResponse> outcome = Outcome.of(() -> unstage(c, volume));
    if (!outcome.ok()) {
      c.judge("NODE-UNSTAGE-009", outcome, false);
      return;
    }
    c.note("NODE-UNSTAGE-009", "seen: OK");
    c.check(mounted == SeenMounts.isMounted(target), "still mounted at the target", "no mount");
    if (looks) {
      c.same("NODE-UNSTAGE-009", before, c.make().onNode().kindAt(target));
    }
  }
}
