package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.util.List;

/** NodeExpandVolume. */
final class NodeExpandCases implements CaseGroup {
  private static final String ONLINE = "plugin:VolumeExpansion.ONLINE";
  private static final long ABSURD = 1L << 62;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-EXPAND-001", c -> c.ok(() -> expand(c, grown(c)))),
        Case.of("NODE-EXPAND-002", c -> c.refused(() -> expand(c, grown(c).setVolumeId("")))),
        Case.of("NODE-EXPAND-003", c -> c.refused(() -> expand(c, grown(c).setVolumePath("")))),
        Case.of(
            "NODE-EXPAND-004",
            c -> c.refused(() -> expand(c, grown(c).setVolumeId(c.requests().unknownId())))),
        Case.of(
            "NODE-EXPAND-005",
            c -> {
              VolumeCapability unservable = NodeSteps.unservable(c);
              c.refused(() -> expand(c, grown(c).setVolumeCapability(unservable)));
            }),
        Case.of("NODE-EXPAND-007", NodeExpandCases::impossible),
        Case.of("NODE-EXPAND-008", NodeExpandCases::neverSmaller),
        Case.of("NODE-EXPAND-009", NodeExpandCases::notThere),
        Case.of("NODE-EXPAND-010", NodeExpandCases::atStaging),
        Case.of("NODE-EXPAND-011", NodeExpandCases::atTarget),
        Case.of("NODE-EXPAND-012", NodeExpandCases::afterOfflineGrowth),
        Case.of("NODE-EXPAND-013", c -> c.ok(() -> expand(c, grown(c).clearCapacityRange()))),
        Case.of(
            "NODE-EXPAND-014",
            c -> {
              NodeExpandVolumeRequest.Builder request = grown(c);
              c.ok(() -> expand(c, request.clearVolumeCapability()));
              VolumeCapability capability = c.requests().capability();
              c.ok(() -> expand(c, request.setVolumeCapability(capability)));
            }),
        Case.of("NODE-EXPAND-015", NodeExpandCases::block),
        Case.of("NODE-EXPAND-016", NodeExpandCases::stagingPathOrNot),
        Case.of(
            "NODE-EXPAND-017",
            c ->
                c.refusedOrIgnored(
                    "a relative staging_target_path",
                    () -> expand(c, grown(c).setStagingTargetPath(NodeSteps.RELATIVE)))),
        Case.of("NODE-EXPAND-018", NodeExpandCases::pathOf128Bytes));
  }

  private static NodeExpandVolumeResponse expand(
      CaseContext c, NodeExpandVolumeRequest.Builder request) {
    return c.node().nodeExpandVolume(request.build());
  }

  private static NodeExpandVolumeRequest.Builder of(CaseContext c, Volume volume, String path) {
    return NodeExpandVolumeRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setVolumePath(path)
        .setCapacityRange(Requests.atLeast(c.settings().expandSize()));
  }

  /** A volume, staged, which the controller has made larger before or after, as it can. */
  private static OnNode grownVolume(CaseContext c, VolumeCapability capability, Volume volume) {
    boolean online = c.advertises(ONLINE);
    if (!online) {
      NodeSteps.growAtController(c, volume);
    }
    OnNode onNode = c.make().onNode().stage(volume, capability);
    if (online) {
      NodeSteps.growAtController(c, volume);
    }
    return onNode;
  }

  private static OnNode grownVolume(CaseContext c) {
    return grownVolume(c, c.requests().capability(), c.make().volume());
  }

  private static NodeExpandVolumeRequest.Builder grown(CaseContext c) {
    OnNode volume = grownVolume(c);
    return of(c, volume.volume(), c.make().onNode().publish(volume));
  }

  private static void impossible(CaseContext c) {
    NodeExpandVolumeRequest.Builder request = grown(c);
    c.refused(() -> expand(c, request.clone().setCapacityRange(Requests.atLeast(ABSURD))));
    NodeExpandVolumeResponse after = c.ok(() -> expand(c, request));
    c.check(after.getCapacityBytes() < ABSURD, "size unchanged", after);
  }

  private static void neverSmaller(CaseContext c) {
    NodeExpandVolumeRequest.Builder request = grown(c);
    NodeExpandVolumeResponse first = c.ok(() -> expand(c, request));
    NodeExpandVolumeResponse again = c.ok(() -> expand(c, request));
    c.check(again.getCapacityBytes() == first.getCapacityBytes(), "the same size again", again);
    NodeExpandVolumeResponse less =
        c.ok(() -> expand(c, request.setCapacityRange(Requests.atLeast(c.settings().size()))));
    c.check(
        less.getCapacityBytes() == 0 || less.getCapacityBytes() >= first.getCapacityBytes(),
        "at least " + first.getCapacityBytes() + " bytes",
        less);
  }

  private static void notThere(CaseContext c) {
    Volume volume = c.make().volume();
    NodeSteps.growAtController(c, volume);
    c.refused(() -> expand(c, of(c, volume, c.make().onNode().targetPath())));
  }

  private static void atStaging(CaseContext c) {
    OnNode volume = grownVolume(c);
    NodeExpandVolumeResponse answer =
        c.ok(() -> expand(c, of(c, volume.volume(), volume.stagingPath())));
    large(c, answer);
  }

  private static void atTarget(CaseContext c) {
    NodeExpandVolumeResponse answer = c.ok(() -> expand(c, grown(c)));
    large(c, answer);
  }

  /** A size of zero means that the driver does not tell. */
  private static void large(CaseContext c, NodeExpandVolumeResponse answer) {
    c.check(
        answer.getCapacityBytes() == 0 || answer.getCapacityBytes() >= c.settings().expandSize(),
        "at least " + c.settings().expandSize() + " bytes, or 0 for unknown",
        answer);
  }

  private static void afterOfflineGrowth(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    String target = c.make().onNode().publish(volume);
    c.make().onNode().unpublish(volume, target);
    c.make().onNode().remove(volume);
    NodeSteps.growAtController(c, volume.volume());
    OnNode anew = c.make().onNode().stage(volume.volume(), c.requests().capability());
    c.ok(() -> expand(c, of(c, anew.volume(), c.make().onNode().publish(anew))));
  }

  private static void block(CaseContext c) {
    VolumeCapability capability = c.requests().block(Mode.SINGLE_NODE_WRITER);
    OnNode volume =
        grownVolume(c, capability, c.make().supportedVolume(capability, "block volumes"));
    c.ok(() -> expand(c, of(c, volume.volume(), c.make().onNode().publish(volume))));
  }

  private static void stagingPathOrNot(CaseContext c) {
    OnNode volume = grownVolume(c);
    String target = c.make().onNode().publish(volume);
    c.ok(() -> expand(c, of(c, volume.volume(), target)));
    if (!volume.stagingPath().isEmpty()) {
      c.ok(
          () ->
              expand(c, of(c, volume.volume(), target).setStagingTargetPath(volume.stagingPath())));
    }
  }

  private static void pathOf128Bytes(CaseContext c) {
    OnNode volume = grownVolume(c);
    String target = NodeSteps.of128Bytes(c.make().onNode().targetPath());
    c.prepare(() -> NodeSteps.publish(c, volume.publishRequest(target)));
    c.ok(() -> expand(c, of(c, volume.volume(), target)));
  }
}
