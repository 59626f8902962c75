package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.reply;

import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetInfoResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeUsage;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Broken statistics, expansion and node info. */
final class NodeReportMutants {
  private static final String STATS = "NodeGetVolumeStats";
  private static final String EXPAND = "NodeExpandVolume";
  private static final String INFO = "NodeGetInfo";

  private NodeReportMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of("NODE-STATS-001", "counts nothing", () -> Deviations.absent(STATS)),
        Mutant.of(
            "NODE-STATS-014",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    STATS,
                    NodeGetVolumeStatsRequest.class,
                    r -> r.getVolumePath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of("NODE-EXPAND-001", "grows nothing", () -> Deviations.absent(EXPAND)),
        Mutant.of(
            "NODE-EXPAND-015",
            "grows no block volumes",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> Files.isRegularFile(Path.of(r.getVolumePath())),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-EXPAND-016",
            "wants no staging path",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> !r.getStagingTargetPath().isEmpty(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-EXPAND-018",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> r.getVolumePath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-INFO-009",
            "waits until its info is asked for again",
            NodeReportMutants::askedTwice),
        Mutant.of("NODE-STATS-002", "counts no volume", () -> accept(STATS, "volume_id is req")),
        Mutant.of("NODE-STATS-003", "counts nowhere", () -> accept(STATS, "path is required")),
        Mutant.of(
            "NODE-STATS-004",
            "calls an unknown volume a wrong argument",
            () -> code(STATS, Code.NOT_FOUND, Code.INVALID_ARGUMENT)),
        Mutant.of("NODE-STATS-005", "counts at any path", () -> accept(STATS, "at that path")),
        Mutant.of("NODE-STATS-006", "counts nothing", () -> stats(s -> s.clearUsage())),
        Mutant.of(
            "NODE-STATS-007",
            "does not count at the staging path",
            () ->
                refuse(
                    STATS,
                    NodeGetVolumeStatsRequest.class,
                    r -> !r.getVolumePath().endsWith("/mount"),
                    Code.NOT_FOUND)),
        Mutant.of(
            "NODE-STATS-008",
            "counts in a unit of its own",
            () -> usage(u -> u.setUnit(VolumeUsage.Unit.UNKNOWN))),
        Mutant.of("NODE-STATS-009", "has used less than nothing", () -> usage(u -> u.setUsed(-1))),
        Mutant.of("NODE-STATS-010", "knows no size of a device", () -> usage(u -> u.clearTotal())),
        Mutant.of(
            "NODE-STATS-011", "tells no condition", () -> stats(s -> s.clearVolumeCondition())),
        Mutant.of(
            "NODE-STATS-012",
            "wants no staging path",
            () ->
                refuse(
                    STATS,
                    NodeGetVolumeStatsRequest.class,
                    r -> !r.getStagingTargetPath().isEmpty(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-STATS-013",
            "calls a relative staging path an inner fault",
            () -> code(STATS, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "NODE-EXPAND-002", "grows no volume", () -> accept(EXPAND, "volume_id is required")),
        Mutant.of("NODE-EXPAND-003", "grows nowhere", () -> accept(EXPAND, "path is required")),
        Mutant.of(
            "NODE-EXPAND-004",
            "calls an unknown volume an inner fault",
            () -> code(EXPAND, Code.NOT_FOUND, Code.INTERNAL)),
        Mutant.of(
            "NODE-EXPAND-005",
            "calls a capability of others a lost state",
            () -> code(EXPAND, Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION)),
        Mutant.of(
            "NODE-EXPAND-007",
            "grows to four exbibytes",
            () -> accept(EXPAND, "has not made the volume that large")),
        Mutant.of(
            "NODE-EXPAND-008",
            "shrinks",
            () ->
                Deviations.end(
                    EXPAND,
                    (r, outcome) ->
                        outcome.status().isOk()
                            ? Deviation.Outcome.of(
                                NodeExpandVolumeResponse.newBuilder()
                                    .setCapacityBytes(
                                        ((NodeExpandVolumeRequest) r)
                                            .getCapacityRange()
                                            .getRequiredBytes())
                                    .build())
                            : outcome)),
        Mutant.of("NODE-EXPAND-009", "grows what is not there", () -> accept(EXPAND, "at that")),
        Mutant.of(
            "NODE-EXPAND-010",
            "does not grow at the staging path",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> !r.getVolumePath().endsWith("/mount"),
                    Code.NOT_FOUND)),
        Mutant.of(
            "NODE-EXPAND-011",
            "grows half the way",
            () ->
                reply(
                    EXPAND,
                    NodeExpandVolumeResponse.class,
                    r -> r.toBuilder().setCapacityBytes(r.getCapacityBytes() / 2).build())),
        Mutant.of(
            "NODE-EXPAND-013",
            "wants a range",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> !r.hasCapacityRange(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-EXPAND-014",
            "wants a capability",
            () ->
                refuse(
                    EXPAND,
                    NodeExpandVolumeRequest.class,
                    r -> !r.hasVolumeCapability(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-EXPAND-017",
            "calls a relative staging path an inner fault",
            () -> code(EXPAND, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
                "NODE-EXPAND-012",
                "does not grow what was grown offline",
                () ->
                    refuse(
                        EXPAND, NodeExpandVolumeRequest.class, r -> true, Code.FAILED_PRECONDITION))
            .in(Config.OFFLINE),
        Mutant.of(
            "NODE-CAPS-002",
            "reports EXPAND_VOLUME, and has no such RPC",
            () -> Deviations.end(EXPAND, (r, outcome) -> Deviations.refusal(Code.UNIMPLEMENTED))),
        Mutant.of("NODE-INFO-002", "has no id", () -> info(i -> i.clearNodeId())),
        Mutant.of(
            "NODE-INFO-003",
            "has the id of another node",
            () -> info(i -> i.setNodeId("fake-node-2"))),
        Mutant.of(
            "NODE-INFO-004", "id of 257 bytes", () -> info(i -> i.setNodeId("n".repeat(257)))),
        Mutant.of(
            "NODE-INFO-005", "id of 129 bytes", () -> info(i -> i.setNodeId("n".repeat(129)))),
        Mutant.of("NODE-INFO-006", "holds -1 volumes", () -> info(i -> i.setMaxVolumesPerNode(-1))),
        Mutant.of(
            "NODE-INFO-007",
            "has an id that its controller does not know",
            () -> info(i -> i.setNodeId("nobody"))),
        Mutant.of(
                "NODE-INFO-008",
                "tells a topology unasked",
                () ->
                    info(
                        i ->
                            i.setAccessibleTopology(
                                Topology.newBuilder().putSegments("zone", "z"))))
            .in(Config.WITHOUT_TOPOLOGY),
        Mutant.of("NODE-INFO-010", "changes its id", NodeReportMutants::changingId));
  }

  private static Deviation askedTwice() {
    AtomicInteger asked = new AtomicInteger();
    return Deviations.both(
        info(i -> asked.incrementAndGet()),
        Deviations.end(
            "NodePublishVolume",
            (r, outcome) ->
                asked.get() < 2 ? Deviations.refusal(Code.FAILED_PRECONDITION) : outcome));
  }

  private static Deviation changingId() {
    AtomicInteger next = new AtomicInteger();
    return info(i -> i.setNodeId("node-" + next.incrementAndGet()));
  }

  private static Deviation info(Consumer<NodeGetInfoResponse.Builder> change) {
    return reply(
        INFO,
        NodeGetInfoResponse.class,
        r -> {
          NodeGetInfoResponse.Builder builder = r.toBuilder();
          change.accept(builder);
          return builder.build();
        });
  }

  private static Deviation stats(Consumer<NodeGetVolumeStatsResponse.Builder> change) {
    return reply(
        STATS,
        NodeGetVolumeStatsResponse.class,
        r -> {
          NodeGetVolumeStatsResponse.Builder builder = r.toBuilder();
          change.accept(builder);
          return builder.build();
        });
  }

  private static Deviation usage(UnaryOperator<VolumeUsage.Builder> change) {
    return stats(s -> s.setUsage(0, change.apply(s.getUsage(0).toBuilder())));
  }
}
