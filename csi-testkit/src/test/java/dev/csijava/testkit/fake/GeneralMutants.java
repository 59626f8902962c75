package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.afterwards;
import static dev.csijava.testkit.fake.Deviations.both;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.refuseFrom;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.fake.Mutant.Config;
import io.grpc.Status.Code;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Drivers that break what holds of every RPC: calls at once, fields, limits, modes, the life. */
final class GeneralMutants {
  private static final String CREATE = "CreateVolume";
  private static final String DELETE = "DeleteVolume";
  private static final String VALIDATE = "ValidateVolumeCapabilities";
  private static final String ATTACH = "ControllerPublishVolume";
  private static final String PUBLISH = "NodePublishVolume";
  private static final String UNPUBLISH = "NodeUnpublishVolume";
  private static final String OTHER_NODE = "fake-node-2";
  private static final int CALLERS = 8;

  private GeneralMutants() {}

  static List<Mutant> all() {
    return Stream.of(calls(), fields(), limits(), codes(), modes(), life())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Mutant> calls() {
    return List.of(
        Mutant.of(
            "GEN-CONC-001",
            "falls over a second deletion",
            () ->
                refuseAgain(
                    DELETE,
                    DeleteVolumeRequest.class,
                    DeleteVolumeRequest::getVolumeId,
                    Code.INTERNAL)),
        Mutant.of("GEN-CONC-001", "makes a volume for each caller", GeneralMutants::newEachTime),
        Mutant.of(
                "GEN-CONC-002",
                "says that it is not there while it is busy",
                () -> code(CREATE, Code.ABORTED, Code.UNAVAILABLE))
            .in(Config.BUSY),
        Mutant.of("GEN-CONC-003", "stays busy for ever", () -> busyAfter(CALLERS)),
        Mutant.of("GEN-TIME-001", "makes another volume", GeneralMutants::newEachTime),
        Mutant.of(
            "GEN-TIME-001",
            "refuses what the caller gave up",
            () ->
                refuseAgain(
                    CREATE,
                    CreateVolumeRequest.class,
                    CreateVolumeRequest::getName,
                    Code.ALREADY_EXISTS)),
        Mutant.of(
            "GEN-TIME-002",
            "takes nothing back",
            () ->
                request(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> r.toBuilder().setTargetPath("/no-such-path").build())),
        Mutant.of(
            "GEN-TIME-002",
            "falls over taking back",
            () -> refuseFrom(UNPUBLISH, 2, Code.INTERNAL)),
        Mutant.of("GEN-OP-001", "answers five calls", () -> refuseFrom("Probe", 6, Code.INTERNAL)),
        Mutant.of("GEN-EP-002", "never answers", () -> refuseFrom("Probe", 1, Code.INTERNAL)));
  }

  private static List<Mutant> fields() {
    return List.of(
        Mutant.of(
            "GEN-FIELD-001", "misses nothing", () -> accept("ControllerGetVolume", "is required")),
        Mutant.of(
            "GEN-FIELD-002",
            "misses no list",
            () -> accept(VALIDATE, "volume_capabilities is required")),
        Mutant.of(
            "GEN-FIELD-003", "takes any mode", () -> accept(CREATE, "needs a known access mode")),
        Mutant.of(
            "GEN-FIELD-003",
            "takes any number of entries",
            () -> accept("ListVolumes", "must not be negative")),
        Mutant.of("GEN-FIELD-005", "wants a size", () -> refuseCreate(r -> !r.hasCapacityRange())),
        Mutant.of(
            "GEN-FIELD-006",
            "takes false for a missing field",
            () -> refusePublish(r -> !r.getReadonly())),
        Mutant.of(
            "GEN-RANGE-001", "takes no bound", () -> accept(CREATE, "needs required_bytes or")),
        Mutant.of(
            "GEN-RANGE-002", "takes bounds below zero", () -> accept(CREATE, "not be negative")),
        Mutant.of(
            "GEN-RANGE-003",
            "wants a lower bound",
            () ->
                refuseCreate(
                    r -> r.hasCapacityRange() && r.getCapacityRange().getRequiredBytes() == 0)),
        Mutant.of(
            "GEN-RANGE-003",
            "wants an upper bound",
            () ->
                refuseCreate(
                    r -> r.hasCapacityRange() && r.getCapacityRange().getLimitBytes() == 0)),
        Mutant.of("GEN-RANGE-004", "adds a block", () -> grown(4096)),
        Mutant.of(
            "GEN-RANGE-005", "takes bounds crosswise", () -> accept(CREATE, "limit_bytes is be")),
        Mutant.of(
            "GEN-VCAP-001", "takes no access type", () -> accept(CREATE, "needs an access type")),
        Mutant.of(
            "GEN-VCAP-002", "takes no access mode", () -> accept(CREATE, "a known access mode")),
        Mutant.of("GEN-VCAP-003", "takes the mode UNKNOWN", () -> acceptMode(Mode.UNKNOWN)),
        Mutant.of("GEN-VCAP-003", "takes a mode of tomorrow", () -> acceptMode(Mode.UNRECOGNIZED)),
        Mutant.of(
            "GEN-VCAP-004",
            "wants a file system",
            () -> refuseCreate(r -> r.getVolumeCapabilities(0).getMount().getFsType().isEmpty())),
        Mutant.of("GEN-VCAP-005", "takes any file system", GeneralMutants::anyFileSystem));
  }

  private static List<Mutant> limits() {
    return List.of(
        Mutant.of(
            "GEN-SIZE-003",
            "has no room for 128 bytes of umlauts",
            () -> refuseCreate(r -> bytes(r.getName()) >= 128)),
        Mutant.of(
            "GEN-SIZE-004",
            "has no room for 4 KiB of secrets",
            () -> refuseCreate(r -> r.getSecretsMap().toString().length() > 2048)),
        Mutant.of(
            "GEN-SIZE-005",
            "calls a long name an inner fault",
            () -> code(CREATE, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of(
            "GEN-SIZE-006",
            "has no room for many mount flags",
            () ->
                refuseCreate(
                    r -> r.getVolumeCapabilities(0).getMount().getMountFlagsCount() > 100)),
        Mutant.of(
            "GEN-SIZE-007",
            "has no room for a long path",
            () ->
                refuse(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> r.getTargetPath().length() > 1024,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "GEN-SEC-004",
            "knows every secret",
            () -> refuseCreate(r -> r.containsSecrets("csi-testkit-extra"))));
  }

  private static List<Mutant> codes() {
    return List.of(
        Mutant.of(
            "GEN-ERR-005", "has done what can't be", () -> accept(VALIDATE, "there is no volume")),
        Mutant.of(
            "GEN-ERR-005", "restores what is not", () -> accept(CREATE, "there is no snapshot")),
        Mutant.of(
            "GEN-ERR-006",
            "calls an unknown volume a lost state",
            () -> code(VALIDATE, Code.NOT_FOUND, Code.FAILED_PRECONDITION)),
        Mutant.of(
                "GEN-ERR-007",
                "calls who is denied wrong",
                () -> code(CREATE, Code.PERMISSION_DENIED, Code.INVALID_ARGUMENT))
            .in(Config.DENIES),
        Mutant.of(
                "GEN-ERR-008",
                "calls who is not known denied",
                () -> code(CREATE, Code.UNAUTHENTICATED, Code.PERMISSION_DENIED))
            .in(Config.SECRETS));
  }

  private static List<Mutant> modes() {
    return List.of(
        Mutant.of(
            "GEN-MODE-001",
            "a single writer on two nodes",
            () -> accept(ATTACH, "is published to node ")),
        Mutant.of(
            "GEN-MODE-003", "many readers on one node", () -> oneNode(Mode.MULTI_NODE_READER_ONLY)),
        Mutant.of(
            "GEN-MODE-004",
            "no readers beside a writer",
            () -> oneNode(Mode.MULTI_NODE_SINGLE_WRITER)),
        Mutant.of(
            "GEN-MODE-004",
            "two single writers",
            () -> accept(ATTACH, "the volume is written by node")),
        Mutant.of(
            "GEN-MODE-005",
            "many writers on one node",
            () -> oneNode(Mode.MULTI_NODE_MULTI_WRITER)),
        Mutant.of(
            "GEN-MODE-006",
            "a single writer at two targets",
            () -> accept(PUBLISH, "the volume is published at")),
        Mutant.of(
            "GEN-MODE-007",
            "many writers of a node at one target",
            () ->
                refuseAgain(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    NodePublishVolumeRequest::getVolumeId,
                    Code.FAILED_PRECONDITION)),
        Mutant.of(
            "GEN-MODE-007",
            "many writers of a node on two of them",
            () -> accept(ATTACH, "is published to node ")),
        Mutant.of(
            "GEN-MODE-008",
            "forgets the old mode",
            () -> refuseCreate(r -> mode(r.getVolumeCapabilities(0)) == Mode.SINGLE_NODE_WRITER)),
        Mutant.of(
            "GEN-MODE-009",
            "forgets the old mode on its node",
            () -> refusePublish(r -> mode(r.getVolumeCapability()) == Mode.SINGLE_NODE_WRITER)));
  }

  private static List<Mutant> life() {
    return List.of(
        Mutant.of("GEN-LIFE-001", "publishes nothing", () -> refusePublish(r -> true)),
        Mutant.of(
                "GEN-LIFE-002",
                "wants a staging path though it stages nothing",
                () -> refusePublish(r -> r.getStagingTargetPath().isEmpty()))
            .in(Config.WITHOUT_STAGING),
        Mutant.of(
            "GEN-LIFE-003",
            "leaves the volume",
            () ->
                request(
                    DELETE,
                    DeleteVolumeRequest.class,
                    r -> r.toBuilder().setVolumeId("another").build())),
        Mutant.of(
            "GEN-LIFE-003",
            "leaves the target",
            () ->
                afterwards(
                    UNPUBLISH,
                    NodeUnpublishVolumeRequest.class,
                    r -> Targets.make(Path.of(r.getTargetPath()), false))),
        Mutant.of(
                "GEN-LIFE-004",
                "knows only what it has made",
                () -> code(VALIDATE, Code.OK, Code.NOT_FOUND))
            .in(Config.STATIC),
        Mutant.of(
                "GEN-LIFE-005",
                "publishes nothing that it has not made",
                () -> refusePublish(r -> true))
            .in(Config.NODE_ONLY),
        Mutant.of(
            "GEN-LIFE-006",
            "publishes on another host",
            () ->
                afterwards(
                    PUBLISH,
                    NodePublishVolumeRequest.class,
                    r -> Targets.remove(Path.of(r.getTargetPath())))));
  }

  /** Takes each request for one of another name. */
  static Deviation newEachTime() {
    return request(
        CREATE,
        CreateVolumeRequest.class,
        r -> r.getName().isEmpty() ? r : r.toBuilder().setName("" + UUID.randomUUID()).build());
  }

  private static Deviation busyAfter(int calls) {
    Map<String, Integer> times = new HashMap<>();
    return refuse(
        CREATE,
        CreateVolumeRequest.class,
        r -> times.merge(r.getName(), 1, Integer::sum) > calls,
        Code.ABORTED);
  }

  private static Deviation grown(long bytes) {
    return reply(
        CREATE,
        CreateVolumeResponse.class,
        r -> {
          CreateVolumeResponse.Builder larger = r.toBuilder();
          larger.getVolumeBuilder().setCapacityBytes(r.getVolume().getCapacityBytes() + bytes);
          return larger.build();
        });
  }

  private static Deviation acceptMode(Mode mode) {
    return end(
        CREATE,
        (request, outcome) ->
            mode(((CreateVolumeRequest) request).getVolumeCapabilities(0)) == mode
                ? Deviation.Outcome.of(CreateVolumeResponse.getDefaultInstance())
                : outcome);
  }

  private static Mode mode(VolumeCapability capability) {
    return capability.getAccessMode().getMode();
  }

  private static Deviation refuseCreate(Predicate<CreateVolumeRequest> which) {
    return refuse(CREATE, CreateVolumeRequest.class, which, Code.INVALID_ARGUMENT);
  }

  private static Deviation refusePublish(Predicate<NodePublishVolumeRequest> which) {
    return refuse(PUBLISH, NodePublishVolumeRequest.class, which, Code.INVALID_ARGUMENT);
  }

  private static Deviation oneNode(Mode mode) {
    return refuse(
        ATTACH,
        ControllerPublishVolumeRequest.class,
        r -> r.getNodeId().equals(OTHER_NODE) && mode(r.getVolumeCapability()) == mode,
        Code.FAILED_PRECONDITION);
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Takes an fs_type that it does not know for none, everywhere. */
  private static Deviation anyFileSystem() {
    return both(
        request(
            CREATE,
            CreateVolumeRequest.class,
            r ->
                r.toBuilder()
                    .clearVolumeCapabilities()
                    .addAllVolumeCapabilities(
                        r.getVolumeCapabilitiesList().stream()
                            .map(GeneralMutants::ofAnyKind)
                            .toList())
                    .build()),
        both(
            request(
                "NodeStageVolume",
                NodeStageVolumeRequest.class,
                r -> r.toBuilder().setVolumeCapability(ofAnyKind(r.getVolumeCapability())).build()),
            request(
                "NodePublishVolume",
                NodePublishVolumeRequest.class,
                r ->
                    r.toBuilder()
                        .setVolumeCapability(ofAnyKind(r.getVolumeCapability()))
                        .build())));
  }

  private static VolumeCapability ofAnyKind(VolumeCapability capability) {
    return capability.hasMount()
        ? capability.toBuilder().setMount(capability.getMount().toBuilder().clearFsType()).build()
        : capability;
  }
}
