package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Supplier;

/** Calls for one volume at one moment. */
final class ConcurrencyCases implements CaseGroup {
  private static final int CALLERS = 6;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-CONC-002", ConcurrencyCases::storm),
        Case.of("GEN-TIME-002", ConcurrencyCases::forthAndBack),
        Case.of(
            "storm-of-deletions",
            "One volume deleted by many callers at once is gone once",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              String id = c.make().volume().getVolumeId();
              c.together(CALLERS, () -> DeleteVolumeCases.delete(c, id))
                  .forEach(outcome -> c.judge("GEN-CONC-001", outcome, true));
              c.ok("GEN-CONC-003", () -> DeleteVolumeCases.delete(c, id));
            },
            "GEN-CONC-001",
            "GEN-CONC-003"));
  }

  /** A refusal in a storm of identical calls has one reason only: that another is at work. */
  private static void storm(CaseContext c) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    CreateVolumeRequest request = c.requests().volume().build();
    List<Outcome<?>> outcomes = new ArrayList<>();
    outcomes.addAll(c.together(CALLERS, () -> c.controller().createVolume(request)));
    Volume volume = c.make().volume(request);
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      var cut = c.requests().snapshot(volume.getVolumeId()).build();
      outcomes.addAll(c.together(CALLERS, () -> c.controller().createSnapshot(cut)));
      Snapshot snapshot = c.make().snapshot(cut);
      CreateVolumeRequest restore = SnapshotCases.from(c, snapshot.getSnapshotId()).build();
      outcomes.addAll(c.together(CALLERS, () -> c.controller().createVolume(restore)));
    }
    if (c.advertises("service:Node")) {
      NodeWork node = c.make().onNode();
      OnNode onNode = node.stage(volume, c.requests().capability());
      var publish = onNode.publishRequest(node.targetPath()).build();
      outcomes.addAll(c.together(CALLERS, () -> c.node().nodePublishVolume(publish)));
    }
    List<Outcome<?>> refusals = outcomes.stream().filter(outcome -> !outcome.ok()).toList();
    c.need(!refusals.isEmpty(), "the driver refused no call: it lets them wait or joins them");
    refusals.forEach(refusal -> c.judge("GEN-CONC-002", refusal, false));
  }

  private static void forthAndBack(CaseContext c) {
    c.needs("service:Node");
    Volume volume = c.make().volume();
    NodeWork node = c.make().onNode();
    OnNode onNode = node.stage(volume, c.requests().capability());
    String target = node.targetPath();
    var publish = onNode.publishRequest(target).build();
    var unpublish = onNode.unpublishRequest(target);
    for (int i = 0; i < c.settings().repetitions(); i++) {
      List<Supplier<Object>> calls = new ArrayList<>();
      calls.add(() -> c.node().nodePublishVolume(publish));
      calls.add(() -> c.node().nodeUnpublishVolume(unpublish));
      if (i % 2 == 1) {
        Collections.reverse(calls);
      }
      c.together(calls).forEach(outcome -> c.judge("GEN-TIME-002", outcome, true));
      Outcome<?> back = Outcome.of(() -> c.node().nodeUnpublishVolume(unpublish));
      c.check(back.ok(), "OK for taking it back at the end", back);
      c.check(!SeenMounts.isMounted(target), "nothing mounted then", "a mount is left");
      if (node.canLook()) {
        PathKind kind = node.kindAt(target);
        c.check(kind == PathKind.NOT_FOUND, "nothing at the target then", kind);
      }
    }
  }
}
