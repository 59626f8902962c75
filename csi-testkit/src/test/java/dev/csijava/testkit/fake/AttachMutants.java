package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.absent;
import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.before;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
import static dev.csijava.testkit.fake.Deviations.refuseFrom;
import static dev.csijava.testkit.fake.Deviations.refuseWhen;
import static dev.csijava.testkit.fake.Deviations.reply;
import static dev.csijava.testkit.fake.Deviations.request;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import io.grpc.Status.Code;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** Controllers that are broken where volumes are attached, grown and changed. */
final class AttachMutants {
  private static final String ATTACH = "ControllerPublishVolume";
  private static final String DETACH = "ControllerUnpublishVolume";
  private static final String EXPAND = "ControllerExpandVolume";
  private static final String MODIFY = "ControllerModifyVolume";
  private static final String UNKNOWN = "there is no volume";

  private AttachMutants() {}

  static List<Mutant> all() {
    return List.of(
        Mutant.of("CTRL-PUB-001", "attaches nothing", () -> absent(ATTACH)),
        Mutant.of(
            "CTRL-PUB-002", "attaches no volume", () -> accept(ATTACH, "volume_id is required")),
        Mutant.of(
            "CTRL-PUB-003", "attaches to no node", () -> accept(ATTACH, "node_id is required")),
        Mutant.of(
            "CTRL-PUB-004",
            "attaches for no use",
            () -> accept(ATTACH, "volume_capability is required")),
        Mutant.of("CTRL-PUB-005", "attaches what is not", () -> accept(ATTACH, UNKNOWN)),
        Mutant.of(
            "CTRL-PUB-006", "attaches to what is not", () -> accept(ATTACH, "there is no node")),
        Mutant.of(
            "CTRL-PUB-007",
            "attaches once only",
            () ->
                refuseAgain(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    r -> r.getVolumeId() + r.getNodeId(),
                    Code.ALREADY_EXISTS)),
        Mutant.of(
            "CTRL-PUB-008", "forgets the use", () -> accept(ATTACH, "to that node in another way")),
        Mutant.of(
            "CTRL-PUB-009",
            "forgets that it is read only",
            () ->
                request(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    r -> r.toBuilder().setReadonly(false).build())),
        Mutant.of(
            "CTRL-PUB-010",
            "attaches to a second node",
            () -> accept(ATTACH, "is published to node ")),
        Mutant.of("CTRL-PUB-011", "does not say which node has it", AttachMutants::sayNoNode),
        Mutant.of(
            "CTRL-PUB-012",
            "attaches to one node ever",
            () ->
                refuseAgain(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    ControllerPublishVolumeRequest::getVolumeId,
                    Code.FAILED_PRECONDITION)),
        Mutant.of(
            "CTRL-PUB-014", "attaches for any use", () -> accept(ATTACH, "that fs_type is not")),
        Mutant.of(
            "CTRL-PUB-019",
            "says another thing each time",
            () ->
                reply(
                    ATTACH,
                    ControllerPublishVolumeResponse.class,
                    r ->
                        r.toBuilder()
                            .putPublishContext("device", UUID.randomUUID().toString())
                            .build())),
        Mutant.of(
            "CTRL-PUB-021",
            "calls another context an inner fault",
            () -> code(ATTACH, Code.INVALID_ARGUMENT, Code.INTERNAL)),
        Mutant.of("CTRL-PUB-013", "attaches any number", () -> accept(ATTACH, "volumes already"))
            .in(Mutant.Config.LIMITED),
        Mutant.of(
            "CTRL-PUB-015",
            "attaches for writing only",
            () ->
                refuse(
                    ATTACH,
                    ControllerPublishVolumeRequest.class,
                    ControllerPublishVolumeRequest::getReadonly,
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
                "CTRL-PUB-016",
                "attaches for writing what is to be read",
                () -> accept(ATTACH, "readonly needs the capability"))
            .in(Mutant.Config.WITHOUT_READONLY),
        Mutant.of(
            "CTRL-PUB-018",
            "says it has attached, and has not",
            () ->
                afterwardsInState((state, r) -> state.volume(r.getVolumeId()).attachments.clear())),
        Mutant.of(
                "CTRL-PUB-022",
                "has no room for a long node id",
                () ->
                    refuse(
                        ATTACH,
                        ControllerPublishVolumeRequest.class,
                        r -> r.getNodeId().length() > 128,
                        Code.INVALID_ARGUMENT))
            .in(Mutant.Config.LONG_NODE_ID),
        Mutant.of("CTRL-UNPUB-001", "holds on to what is attached", AttachMutants::holdsOn),
        Mutant.of("CTRL-UNPUB-001", "detaches nothing", () -> absent(DETACH)),
        Mutant.of(
            "CTRL-UNPUB-001",
            "says it has detached, and has not",
            () ->
                request(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.toBuilder().setVolumeId("another").build())),
        Mutant.of(
            "CTRL-UNPUB-003",
            "detaches only what is attached",
            () ->
                refuseWhen(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    AttachMutants::attachedNowhere,
                    Code.FAILED_PRECONDITION)),
        Mutant.of(
            "CTRL-UNPUB-004",
            "is alarmed by what was deleted",
            () ->
                refuseWhen(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    (state, r) -> !there(state, r),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-UNPUB-006",
            "is alarmed by a node that it does not know",
            () ->
                refuse(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.getNodeId().startsWith("no-such"),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-UNPUB-008",
            "takes no node for none",
            () ->
                request(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.getNodeId().isEmpty() ? r.toBuilder().setNodeId("none").build() : r)),
        Mutant.of(
            "CTRL-UNPUB-002", "detaches no volume", () -> accept(DETACH, "volume_id is required")),
        Mutant.of(
            "CTRL-UNPUB-003",
            "detaches once only",
            () ->
                refuseAgain(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.getVolumeId() + r.getNodeId(),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-UNPUB-005",
            "is alarmed by what it does not know",
            () ->
                refuse(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.getVolumeId().startsWith("no-such"),
                    Code.INTERNAL)),
        Mutant.of(
            "CTRL-UNPUB-007",
            "detaches from every node",
            () ->
                request(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.toBuilder().clearNodeId().build())),
        Mutant.of(
            "CTRL-UNPUB-008",
            "needs a node",
            () ->
                refuse(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.getNodeId().isEmpty(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-UNPUB-010",
            "says it has detached, and has not",
            () ->
                request(
                    DETACH,
                    ControllerUnpublishVolumeRequest.class,
                    r -> r.toBuilder().setVolumeId("another").build())),
        Mutant.of("CTRL-EXPAND-001", "grows nothing", () -> absent(EXPAND)),
        Mutant.of(
            "CTRL-EXPAND-002", "grows no volume", () -> accept(EXPAND, "volume_id is required")),
        Mutant.of(
            "CTRL-EXPAND-003",
            "grows by nothing",
            () -> accept(EXPAND, "capacity_range is required")),
        Mutant.of("CTRL-EXPAND-004", "grows what is not", () -> accept(EXPAND, UNKNOWN)),
        Mutant.of(
            "CTRL-EXPAND-005",
            "grows once only",
            () ->
                refuseAgain(
                    EXPAND,
                    ControllerExpandVolumeRequest.class,
                    ControllerExpandVolumeRequest::getVolumeId,
                    Code.OUT_OF_RANGE)),
        Mutant.of(
            "CTRL-EXPAND-006",
            "does not look at the use",
            () -> code(EXPAND, Code.INVALID_ARGUMENT, Code.FAILED_PRECONDITION)),
        Mutant.of(
            "CTRL-EXPAND-007",
            "grows offline only, and says online",
            () ->
                refuseWhen(
                    EXPAND,
                    ControllerExpandVolumeRequest.class,
                    (state, r) -> state.volume(r.getVolumeId()).inUse(),
                    Code.FAILED_PRECONDITION)),
        usedForEver("CTRL-EXPAND-009", Mutant.Config.OFFLINE),
        usedForEver("CTRL-EXPAND-010", Mutant.Config.OFFLINE_BY_STAGING),
        usedForEver("CTRL-EXPAND-011", Mutant.Config.OFFLINE_BY_PUBLISHING),
        Mutant.of(
                "CTRL-EXPAND-015",
                "needs a step that no node has",
                () -> expanded(r -> r.setNodeExpansionRequired(true)))
            .in(Mutant.Config.WITHOUT_NODE_GROWTH),
        Mutant.of(
            "CTRL-EXPAND-016",
            "grows no block volumes",
            () ->
                refuse(
                    EXPAND,
                    ControllerExpandVolumeRequest.class,
                    r -> r.getVolumeCapability().hasBlock(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of(
                "CTRL-EXPAND-008",
                "grows what is in use",
                () -> accept(EXPAND, "is in use and grows offline only"))
            .in(Mutant.Config.OFFLINE),
        Mutant.of(
            "CTRL-EXPAND-012",
            "calls what is too large a wrong argument",
            () -> code(EXPAND, Code.OUT_OF_RANGE, Code.INVALID_ARGUMENT)),
        Mutant.of(
            "CTRL-EXPAND-013",
            "grows too little",
            () -> expanded(r -> r.setCapacityBytes(r.getCapacityBytes() - 1))),
        Mutant.of(
            "CTRL-EXPAND-017",
            "needs to know the use",
            () ->
                refuse(
                    EXPAND,
                    ControllerExpandVolumeRequest.class,
                    r -> !r.hasVolumeCapability(),
                    Code.INVALID_ARGUMENT)),
        Mutant.of("CTRL-MODIFY-001", "changes nothing", () -> absent(MODIFY)),
        Mutant.of(
            "CTRL-MODIFY-002", "changes no volume", () -> accept(MODIFY, "volume_id is required")),
        Mutant.of(
            "CTRL-MODIFY-003",
            "changes to nothing",
            () -> accept(MODIFY, "mutable_parameters is required")),
        Mutant.of(
            "CTRL-MODIFY-004", "takes any key", () -> accept(MODIFY, "a mutable parameter or its")),
        Mutant.of(
            "CTRL-MODIFY-005",
            "takes the good half",
            () ->
                before(
                    MODIFY,
                    ControllerModifyVolumeRequest.class,
                    (state, r) -> take(state, r.getVolumeId(), r.getMutableParamsMap()))),
        Mutant.of(
            "CTRL-MODIFY-008",
            "forgets what is not said again",
            () ->
                before(
                    MODIFY,
                    ControllerModifyVolumeRequest.class,
                    (state, r) -> state.volume(r.getVolumeId()).mutableParameters.clear())),
        Mutant.of(
            "CTRL-MODIFY-009",
            "says it has changed, and has not",
            () ->
                request(
                    MODIFY,
                    ControllerModifyVolumeRequest.class,
                    r -> r.toBuilder().putMutableParams("iops", "1").build())),
        Mutant.of("CTRL-MODIFY-006", "changes what is not", () -> accept(MODIFY, UNKNOWN)),
        Mutant.of(
            "CTRL-MODIFY-007",
            "changes once only",
            () ->
                refuseAgain(
                    MODIFY,
                    ControllerModifyVolumeRequest.class,
                    r -> r.getVolumeId() + r.getMutableParamsMap(),
                    Code.ALREADY_EXISTS)));
  }

  private static Mutant usedForEver(String row, Mutant.Config config) {
    return Mutant.of(
            row, "is in use for ever", () -> refuseFrom(EXPAND, 1, Code.FAILED_PRECONDITION))
        .in(config);
  }

  private static Deviation holdsOn() {
    return refuseWhen(
        DETACH,
        ControllerUnpublishVolumeRequest.class,
        AttachMutants::attached,
        Code.FAILED_PRECONDITION);
  }

  private static boolean there(FakeState state, ControllerUnpublishVolumeRequest request) {
    return state.volumes.containsKey(request.getVolumeId());
  }

  private static boolean attached(FakeState state, ControllerUnpublishVolumeRequest request) {
    return there(state, request)
        && state.volume(request.getVolumeId()).attachments.containsKey(request.getNodeId());
  }

  private static boolean attachedNowhere(
      FakeState state, ControllerUnpublishVolumeRequest request) {
    boolean anywhere =
        there(state, request)
            && request.getNodeId().isEmpty()
            && !state.volume(request.getVolumeId()).attachments.isEmpty();
    return there(state, request) && !attached(state, request) && !anywhere;
  }

  private static void take(FakeState state, String volumeId, Map<String, String> parameters) {
    Map<String, String> good = new HashMap<>(parameters);
    good.keySet().retainAll(Set.of("iops", "throughput"));
    state.volume(volumeId).mutableParameters.putAll(good);
  }

  /** Undoes what it has answered, when the next call comes. */
  private static Deviation afterwardsInState(
      BiConsumer<FakeState, ControllerPublishVolumeRequest> deed) {
    ControllerPublishVolumeRequest none = ControllerPublishVolumeRequest.getDefaultInstance();
    AtomicReference<ControllerPublishVolumeRequest> last = new AtomicReference<>(none);
    return new Deviation() {
      @Override
      public void before(FakeState state, String rpc, Message request) {
        ControllerPublishVolumeRequest attached = last.getAndSet(none);
        if (state.volumes.containsKey(attached.getVolumeId())) {
          deed.accept(state, attached);
        }
        if (request instanceof ControllerPublishVolumeRequest attaching) {
          last.set(attaching);
        }
      }
    };
  }

  private static Deviation expanded(
      java.util.function.Consumer<ControllerExpandVolumeResponse.Builder> change) {
    return reply(
        EXPAND,
        ControllerExpandVolumeResponse.class,
        r -> {
          ControllerExpandVolumeResponse.Builder changed = r.toBuilder();
          change.accept(changed);
          return changed.build();
        });
  }

  private static Deviation sayNoNode() {
    return end(
        ATTACH,
        (message, outcome) ->
            outcome.status().getCode() == Code.FAILED_PRECONDITION
                ? Deviations.refusal(Code.FAILED_PRECONDITION)
                : outcome);
  }
}
