package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.spec.v1.VolumeUsage;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import io.grpc.Status;
import java.util.List;

/** NodeGetVolumeStats. */
final class VolumeStatsCases implements CaseGroup {
  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("NODE-STATS-001", c -> c.ok(() -> stats(c, published(c)))),
        Case.of("NODE-STATS-002", c -> c.refused(() -> stats(c, published(c).setVolumeId("")))),
        Case.of("NODE-STATS-003", c -> c.refused(() -> stats(c, published(c).setVolumePath("")))),
        Case.of(
            "NODE-STATS-004",
            c -> c.refused(() -> stats(c, published(c).setVolumeId(c.requests().unknownId())))),
        Case.of("NODE-STATS-005", VolumeStatsCases::elsewhere),
        Case.of("NODE-STATS-006", VolumeStatsCases::atTarget),
        Case.of("NODE-STATS-007", VolumeStatsCases::atStaging),
        Case.of("NODE-STATS-008", VolumeStatsCases::units),
        Case.of("NODE-STATS-009", VolumeStatsCases::notNegative),
        Case.of("NODE-STATS-010", VolumeStatsCases::block),
        Case.of(
            "NODE-STATS-011",
            c -> {
              NodeGetVolumeStatsResponse answer = c.ok(() -> stats(c, published(c)));
              c.check(answer.hasVolumeCondition(), "volume_condition", answer);
            }),
        Case.of("NODE-STATS-012", VolumeStatsCases::stagingPathOrNot),
        Case.of("NODE-STATS-013", VolumeStatsCases::relative),
        Case.of("NODE-STATS-014", VolumeStatsCases::pathOf128Bytes));
  }

  private static NodeGetVolumeStatsResponse stats(
      CaseContext c, NodeGetVolumeStatsRequest.Builder request) {
    return c.node().nodeGetVolumeStats(request.build());
  }

  private static NodeGetVolumeStatsRequest.Builder of(Volume volume, String path) {
    return NodeGetVolumeStatsRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setVolumePath(path);
  }

  private static NodeGetVolumeStatsRequest.Builder published(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    return of(volume.volume(), c.make().onNode().publish(volume));
  }

  private static void elsewhere(CaseContext c) {
    NodeGetVolumeStatsRequest.Builder request = published(c);
    String nothing = c.make().onNode().targetPath();
    c.refused(() -> stats(c, request.setVolumePath(nothing)));
    String directory = nothing.substring(0, nothing.lastIndexOf('/'));
    c.refused(() -> stats(c, request.setVolumePath(directory)));
  }

  private static void atTarget(CaseContext c) {
    NodeGetVolumeStatsResponse answer = c.ok(() -> stats(c, published(c)));
    c.check(answer.getUsageCount() > 0, "usage", answer);
  }

  private static void atStaging(CaseContext c) {
    OnNode volume = NodeSteps.staged(c);
    NodeGetVolumeStatsResponse answer =
        c.ok(() -> stats(c, of(volume.volume(), volume.stagingPath())));
    c.check(answer.getUsageCount() > 0, "usage", answer);
  }

  private static void units(CaseContext c) {
    NodeGetVolumeStatsResponse answer = c.prepare(() -> stats(c, published(c)));
    c.need(answer.getUsageCount() > 0, "the driver tells no usage");
    for (VolumeUsage usage : answer.getUsageList()) {
      // Some file systems make inodes as they need them, and tell of none.
      boolean inodes = usage.getUnit() == VolumeUsage.Unit.INODES;
      c.check(usage.getTotal() > 0 || (inodes && usage.getTotal() == 0), "a total", usage);
      c.check(
          usage.getUnit() == VolumeUsage.Unit.BYTES || usage.getUnit() == VolumeUsage.Unit.INODES,
          "BYTES or INODES",
          usage);
    }
  }

  private static void notNegative(CaseContext c) {
    NodeGetVolumeStatsResponse answer = c.prepare(() -> stats(c, published(c)));
    c.need(answer.getUsageCount() > 0, "the driver tells no usage");
    for (VolumeUsage usage : answer.getUsageList()) {
      c.check(
          usage.getTotal() >= 0 && usage.getUsed() >= 0 && usage.getAvailable() >= 0,
          "no negative number",
          usage);
    }
  }

  private static void block(CaseContext c) {
    VolumeCapability capability = c.requests().block(Mode.SINGLE_NODE_WRITER);
    OnNode volume =
        c.make().onNode().stage(c.make().supportedVolume(capability, "block volumes"), capability);
    String target = c.make().onNode().publish(volume);
    NodeGetVolumeStatsResponse answer = c.ok(() -> stats(c, of(volume.volume(), target)));
    if (answer.getUsageCount() == 0) {
      c.note("NODE-STATS-010", "no usage is told of block volumes");
      return;
    }
    c.check(
        answer.getUsageList().stream()
            .anyMatch(one -> one.getUnit() == VolumeUsage.Unit.BYTES && one.getTotal() > 0),
        "the bytes of the device",
        answer);
  }

  private static void stagingPathOrNot(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = c.make().onNode().publish(volume);
    c.ok(() -> stats(c, of(volume.volume(), target)));
    if (!volume.stagingPath().isEmpty()) {
      c.ok(() -> stats(c, of(volume.volume(), target).setStagingTargetPath(volume.stagingPath())));
    }
  }

  /** csi-sanity wants NOT_FOUND for a relative volume_path, against the inferred row. */
  private static void relative(CaseContext c) {
    NodeGetVolumeStatsRequest.Builder request = published(c);
    Outcome<?> staging =
        Outcome.of(() -> stats(c, request.clone().setStagingTargetPath(NodeSteps.RELATIVE)));
    c.check(
        staging.ok() || staging.code() == Status.Code.INVALID_ARGUMENT,
        "INVALID_ARGUMENT, or OK from a driver that does not need staging_target_path",
        staging);
    Outcome<?> outcome =
        Outcome.of(() -> stats(c, request.clone().setVolumePath(NodeSteps.RELATIVE)));
    c.check(
        outcome.code() == Status.Code.INVALID_ARGUMENT || outcome.code() == Status.Code.NOT_FOUND,
        "INVALID_ARGUMENT, or NOT_FOUND as csi-sanity has it",
        outcome);
    c.note("NODE-STATS-013", "seen for volume_path: " + outcome.code());
  }

  private static void pathOf128Bytes(CaseContext c) {
    OnNode volume = NodeSteps.usable(c);
    String target = NodeSteps.of128Bytes(c.make().onNode().targetPath());
    c.prepare(() -> NodeSteps.publish(c, volume.publishRequest(target)));
    c.ok(() -> stats(c, of(volume.volume(), target)));
  }
}
