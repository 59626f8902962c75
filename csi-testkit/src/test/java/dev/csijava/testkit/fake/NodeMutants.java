package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.absent;
import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.afterwards;
import static dev.csijava.testkit.fake.Deviations.before;
import static dev.csijava.testkit.fake.Deviations.both;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.request;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** Broken staging and publishing. */
final class NodeMutants {
  private static final String STAGE = "NodeStageVolume";
  private static final String UNSTAGE = "NodeUnstageVolume";
  private static final String PUBLISH = "NodePublishVolume";
  private static final String UNPUBLISH = "NodeUnpublishVolume";

  private NodeMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of("NODE-STAGE-001", "stages nothing", () -> absent(STAGE)),
        Mutant.of(
            "NODE-STAGE-011",
            "stages without mount flags",
            () ->
                refuse(
                    STAGE,
                    NodeStageVolumeRequest.class,
                    r -> r.getVolumeCapability().getMount().getMountFlagsCount() > 0,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
                "NODE-STAGE-013",
                "stages for no group",
                () ->
                    refuse(
                        STAGE,
                        NodeStageVolumeRequest.class,
                        r -> !r.getVolumeCapability().getMount().getVolumeMountGroup().isEmpty(),
                        Code.FAILED_PRECONDITION))
            .in(Config.MOUNT_GROUP),
        Mutant.of("NODE-UNSTAGE-001", "unstages nothing", () -> absent(UNSTAGE)),
        Mutant.of(
            "NODE-UNSTAGE-008",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    UNSTAGE,
                    NodeUnstageVolumeRequest.class,
                    r -> r.getStagingTargetPath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-UNSTAGE-009",
            "calls what is published an inner fault",
            () -> code(UNSTAGE, Code.FAILED_PRECONDITION, Code.INTERNAL)),
        Mutant.of(
            "NODE-UNSTAGE-009",
            "unstages what is published",
            () ->
                before(
                    UNSTAGE,
                    NodeUnstageVolumeRequest.class,
                    (state, r) -> takeAll(state, r.getVolumeId()))),
        Mutant.of("NODE-PUB-001", "publishes nothing", () -> absent(PUBLISH)),
        Mutant.of(
            "NODE-PUB-026",
            "publishes for writing only",
            () ->
                refuse(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    NodePublishVolumeRequest::getReadonly,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-PUB-030",
            "publishes without mount flags",
            () ->
                refuse(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> r.getVolumeCapability().getMount().getMountFlagsCount() > 0,
                    Code.INVALID_ARGUMENT)),
        Mutant.of("NODE-UNPUB-001", "unpublishes nothing", () -> absent(UNPUBLISH)),
        Mutant.of(
            "NODE-UNPUB-010",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> r.getTargetPath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of("NODE-STAGE-002", "stages no volume", () -> accept(STAGE, "volume_id is req")),
        Mutant.of("NODE-STAGE-003", "stages nowhere", () -> accept(STAGE, "path is required")),
        Mutant.of("NODE-STAGE-004", "stages anyhow", () -> accept(STAGE, "capability is required")),
        Mutant.of(
            "NODE-STAGE-005",
            "calls an unknown volume an inner fault",
            () -> code(STAGE, Code.NOT_FOUND, Code.INTERNAL)),
        Mutant.of(
            "NODE-STAGE-006",
            "stages once only",
            () ->
                refuseAgain(
                    STAGE,
                    NodeStageVolumeRequest.class,
                    NodeStageVolumeRequest::getVolumeId,
                    Code.ALREADY_EXISTS)),
        Mutant.of(
            "NODE-STAGE-007",
            "does not look how a volume is staged, and publishes only so",
            () ->
                both(
                    accept(STAGE, "with another capability"),
                    refuse(
                        PUBLISH,
                        NodePublishVolumeRequest.class,
                        r -> mode(r) == Mode.SINGLE_NODE_READER_ONLY,
                        Code.FAILED_PRECONDITION))),
        Mutant.of(
            "NODE-STAGE-008",
            "stages with a file system that it does not have",
            () -> accept(STAGE, "fs_type")),
        Mutant.of(
            "NODE-STAGE-009", "stages at a relative path", () -> accept(STAGE, "must be absolute")),
        Mutant.of(
            "NODE-STAGE-010",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    STAGE,
                    NodeStageVolumeRequest.class,
                    r -> r.getStagingTargetPath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-STAGE-012",
            "calls another volume_context an inner fault",
            () -> code(STAGE, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "NODE-UNSTAGE-002", "unstages no volume", () -> accept(UNSTAGE, "volume_id is req")),
        Mutant.of(
            "NODE-UNSTAGE-003", "unstages nowhere", () -> accept(UNSTAGE, "path is required")),
        Mutant.of(
            "NODE-UNSTAGE-004",
            "does not unstage what is not staged",
            () ->
                refuseAgain(
                    UNSTAGE,
                    NodeUnstageVolumeRequest.class,
                    NodeUnstageVolumeRequest::getVolumeId,
                    Code.NOT_FOUND)),
        Mutant.of(
            "NODE-UNSTAGE-005",
            "fails over an unknown volume",
            () ->
                refuse(
                    UNSTAGE,
                    NodeUnstageVolumeRequest.class,
                    r -> r.getVolumeId().startsWith("no-such"),
                    Code.INTERNAL)),
        Mutant.of(
            "NODE-UNSTAGE-006",
            "says it has unstaged, and has not",
            () ->
                request(
                    UNSTAGE,
                    NodeUnstageVolumeRequest.class,
                    r -> r.toBuilder().setStagingTargetPath("/elsewhere").build())),
        Mutant.of(
            "NODE-UNSTAGE-007",
            "calls a relative path an inner fault",
            () -> code(UNSTAGE, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of("NODE-PUB-002", "publishes no volume", () -> accept(PUBLISH, "volume_id is req")),
        Mutant.of(
            "NODE-PUB-003", "publishes nowhere", () -> accept(PUBLISH, "target_path is required")),
        Mutant.of(
            "NODE-PUB-004",
            "looks at the staging path before the capability",
            () ->
                Deviations.end(
                    PUBLISH,
                    (r, outcome) ->
                        ((NodePublishVolumeRequest) r).getStagingTargetPath().isEmpty()
                            ? Deviations.refusal(Code.FAILED_PRECONDITION)
                            : outcome)),
        Mutant.of(
            "NODE-PUB-005",
            "calls an unknown volume a wrong argument",
            () -> code(PUBLISH, Code.NOT_FOUND, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-PUB-006",
            "calls a missing staging path a wrong argument",
            () -> code(PUBLISH, Code.FAILED_PRECONDITION, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-PUB-007",
            "publishes what was never staged",
            () -> accept(PUBLISH, "is not staged at")),
        Mutant.of(
            "NODE-PUB-008",
            "publishes with a file system that it does not have",
            () -> accept(PUBLISH, "fs_type")),
        Mutant.of("NODE-PUB-009", "publishes once only", () -> publishesOnceOnly(r -> true)),
        Mutant.of(
            "NODE-PUB-010",
            "forgets readonly",
            () ->
                request(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> r.toBuilder().clearReadonly().build())),
        Mutant.of(
            "NODE-PUB-011",
            "does not look how a volume is published",
            () -> accept(PUBLISH, "published there in another way")),
        Mutant.of(
            "NODE-PUB-012",
            "compares secrets",
            () ->
                refuse(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> r.getSecretsCount() > 0,
                    Code.ALREADY_EXISTS)),
        Mutant.of("NODE-PUB-013", "one target for many nodes", () -> oneTarget(NodeMutants::many)),
        Mutant.of(
            "NODE-PUB-014",
            "one target for many nodes, if it is to be read only",
            () -> oneTarget(r -> many(r) && r.getReadonly())),
        Mutant.of("NODE-PUB-015", "any number of targets for one writer", NodeMutants::anyNumber),
        Mutant.of(
            "NODE-PUB-016",
            "any number of targets for one writer and its readers",
            NodeMutants::anyNumber),
        Mutant.of(
            "NODE-PUB-017",
            "falls over another capability at another target",
            () -> code(PUBLISH, Code.FAILED_PRECONDITION, Code.INTERNAL)),
        Mutant.of("NODE-PUB-018", "a single writer at two targets", NodeMutants::anyNumber),
        Mutant.of("NODE-PUB-019", "a single writer and a reader elsewhere", NodeMutants::anyNumber),
        Mutant.of(
            "NODE-PUB-020",
            "one target for many writers of one node",
            () -> oneTarget(r -> mode(r) == Mode.SINGLE_NODE_MULTI_WRITER)),
        Mutant.of(
            "NODE-PUB-021",
            "no readers beside the writers of one node",
            () -> oneTarget(r -> mode(r) == Mode.SINGLE_NODE_MULTI_WRITER && r.getReadonly())),
        Mutant.of(
            "NODE-PUB-022",
            "publishes for many writers once only",
            () -> publishesOnceOnly(r -> mode(r) == Mode.SINGLE_NODE_MULTI_WRITER)),
        Mutant.of(
            "NODE-PUB-022",
            "has the mode for many writers only, and publishes so once only",
            () ->
                both(
                    publishesOnceOnly(r -> mode(r) == Mode.SINGLE_NODE_MULTI_WRITER),
                    refuse(
                        "CreateVolume",
                        CreateVolumeRequest.class,
                        r ->
                            r.getVolumeCapabilities(0).getAccessMode().getMode()
                                == Mode.SINGLE_NODE_SINGLE_WRITER,
                        Code.INVALID_ARGUMENT))),
        Mutant.of(
            "NODE-PUB-023",
            "takes a reader for the writer at its target",
            () -> accept(PUBLISH, "published there in another way")),
        Mutant.of(
            "NODE-PUB-024",
            "one target though it knows finer modes",
            () -> oneTarget(NodeMutants::many)),
        Mutant.of("NODE-PUB-025", "two targets for one reader", NodeMutants::anyNumber),
        Mutant.of(
            "NODE-PUB-027",
            "places no device",
            () -> afterwards(PUBLISH, NodePublishVolumeRequest.class, NodeMutants::remove)),
        Mutant.of(
            "NODE-PUB-028",
            "places no directory",
            () -> afterwards(PUBLISH, NodePublishVolumeRequest.class, NodeMutants::remove)),
        Mutant.of(
            "NODE-PUB-029",
            "makes no target",
            () -> afterwards(PUBLISH, NodePublishVolumeRequest.class, NodeMutants::remove)),
        Mutant.of(
            "NODE-PUB-031",
            "publishes at a relative path",
            () -> accept(PUBLISH, "target_path must be absolute")),
        Mutant.of(
            "NODE-PUB-032",
            "has no room for a path of 128 bytes",
            () ->
                refuse(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> r.getTargetPath().length() >= 128,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "NODE-PUB-033",
            "calls another volume_context an inner fault",
            () -> code(PUBLISH, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "NODE-UNPUB-002", "unpublishes no volume", () -> accept(UNPUBLISH, "volume_id is req")),
        Mutant.of(
            "NODE-UNPUB-003", "unpublishes nowhere", () -> accept(UNPUBLISH, "path is required")),
        Mutant.of(
            "NODE-UNPUB-004",
            "fails over an unknown volume",
            () ->
                refuse(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> r.getVolumeId().startsWith("no-such"),
                    Code.INTERNAL)),
        Mutant.of(
            "NODE-UNPUB-005",
            "leaves the target",
            () -> afterwards(UNPUBLISH, NodeUnpublishVolumeRequest.class, NodeMutants::leave)),
        Mutant.of(
            "NODE-UNPUB-006",
            "says it has unpublished, and has not",
            () ->
                request(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> r.toBuilder().setTargetPath("/no-such-path").build())),
        Mutant.of(
            "NODE-UNPUB-007",
            "does not unpublish what is not published",
            () ->
                refuseAgain(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    NodeUnpublishVolumeRequest::getTargetPath,
                    Code.NOT_FOUND)),
        Mutant.of(
            "NODE-UNPUB-008",
            "takes a volume from all targets at once",
            () -> before(UNPUBLISH, NodeUnpublishVolumeRequest.class, NodeMutants::takeAll)),
        Mutant.of(
            "NODE-UNPUB-009",
            "calls a relative path an inner fault",
            () -> code(UNPUBLISH, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "NODE-UNPUB-011",
            "takes away another volume",
            () ->
                both(
                    accept(UNPUBLISH, "another volume is published there"),
                    before(
                        UNPUBLISH,
                        NodeUnpublishVolumeRequest.class,
                        (state, r) -> Targets.remove(Path.of(r.getTargetPath()))))));
  }

  private static Mode mode(NodePublishVolumeRequest request) {
    return request.getVolumeCapability().getAccessMode().getMode();
  }

  private static boolean many(NodePublishVolumeRequest request) {
    return AccessModes.onManyNodes(mode(request));
  }

  private static Deviation anyNumber() {
    return accept(PUBLISH, "the volume is published at");
  }

  private static Deviation publishesOnceOnly(Predicate<NodePublishVolumeRequest> which) {
    Set<String> seen = new HashSet<>();
    return refuse(
        PUBLISH,
        NodePublishVolumeRequest.class,
        r -> which.test(r) && !seen.add(r.getTargetPath()),
        Code.INTERNAL);
  }

  private static Deviation oneTarget(Predicate<NodePublishVolumeRequest> which) {
    Map<String, String> targets = new HashMap<>();
    return refuse(
        PUBLISH,
        NodePublishVolumeRequest.class,
        r -> {
          String first = targets.putIfAbsent(r.getVolumeId(), r.getTargetPath());
          return first != null && !first.equals(r.getTargetPath()) && which.test(r);
        },
        Code.FAILED_PRECONDITION);
  }

  private static void remove(NodePublishVolumeRequest request) {
    try {
      Files.deleteIfExists(Path.of(request.getTargetPath()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void leave(NodeUnpublishVolumeRequest request) {
    try {
      Files.createDirectories(Path.of(request.getTargetPath()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void takeAll(FakeState state, NodeUnpublishVolumeRequest request) {
    takeAll(state, request.getVolumeId());
  }

  private static void takeAll(FakeState state, String volumeId) {
    FakeVolume volume = state.volumes.get(volumeId);
    if (volume != null) {
      volume.publications.keySet().forEach(target -> Targets.remove(Path.of(target)));
      volume.publications.clear();
    }
  }
}
