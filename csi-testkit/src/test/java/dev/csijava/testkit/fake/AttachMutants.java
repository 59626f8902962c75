package dev.csijava.testkit.fake;

import static dev.csijava.testkit.fake.Deviations.accept;
import static dev.csijava.testkit.fake.Deviations.code;
import static dev.csijava.testkit.fake.Deviations.end;
import static dev.csijava.testkit.fake.Deviations.refuse;
import static dev.csijava.testkit.fake.Deviations.refuseAgain;
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
import java.util.List;
import java.util.UUID;

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
            "does not look at the context",
            () -> accept(ATTACH, "volume_context is not the one")),
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

  private static Deviation absent(String rpc) {
    return refuse(rpc, Message.class, r -> true, Code.UNIMPLEMENTED);
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
