package dev.csijava.testkit.conformance;

import static dev.csijava.testkit.conformance.CreateVolumeCases.createVolume;
import static dev.csijava.testkit.conformance.CreateVolumeCases.volume;

import com.google.protobuf.UnknownFieldSet;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.client.CsiRpc;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Fields of requests, whatever the RPC, and the codes that everybody must answer. */
final class FieldCases implements CaseGroup {
  private static final int UNKNOWN_FIELD = 30_000;
  private static final int UNKNOWN_MODE = 99;

  /** The RPCs whose requests may be empty. */
  private static final Set<CsiRpc> NOTHING_REQUIRED =
      EnumSet.of(
          CsiRpc.GET_PLUGIN_INFO,
          CsiRpc.GET_PLUGIN_CAPABILITIES,
          CsiRpc.PROBE,
          CsiRpc.LIST_VOLUMES,
          CsiRpc.LIST_SNAPSHOTS,
          CsiRpc.GET_CAPACITY,
          CsiRpc.CONTROLLER_LIST_VOLUME_HEALTH,
          CsiRpc.CONTROLLER_GET_CAPABILITIES,
          CsiRpc.GROUP_CONTROLLER_GET_CAPABILITIES,
          CsiRpc.NODE_GET_STORAGE_HEALTH,
          CsiRpc.NODE_GET_CAPABILITIES,
          CsiRpc.NODE_GET_INFO);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of("GEN-FIELD-001", FieldCases::everythingMissing),
        Case.of(
            "GEN-FIELD-002",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              Volume made = c.make().volume();
              c.refused(() -> createVolume(c, volume(c).clearVolumeCapabilities()));
              c.refused(() -> ValidateCases.validate(c, made));
            }),
        Case.of(
            "GEN-FIELD-003",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.refused(
                  () -> createVolume(c, capability(c, b -> b.setAccessMode(mode(UNKNOWN_MODE)))));
              CreateVolumeSizeCases.belowZero(c, "GEN-FIELD-003", -1, -1);
              if (c.advertises("ctrl:LIST_VOLUMES")) {
                ListVolumesRequest request =
                    ListVolumesRequest.newBuilder().setMaxEntries(Integer.MIN_VALUE).build();
                c.refused(() -> c.controller().listVolumes(request));
              }
            }),
        Case.of(
            "GEN-FIELD-005",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.ok(
                  () ->
                      createVolume(
                          c,
                          CreateVolumeRequest.newBuilder()
                              .setName(c.name())
                              .addVolumeCapabilities(c.requests().capability())
                              .putAllParameters(c.settings().parameters())));
            }),
        Case.of(
            "GEN-FIELD-006",
            c -> {
              c.needs("service:Node");
              NodeWork node = c.make().onNode();
              NodeWork.OnNode onNode = node.stage(c.make().volume(), c.requests().capability());
              var request = onNode.publishRequest(node.targetPath()).setReadonly(false).build();
              c.ok(() -> c.node().nodePublishVolume(request));
            }),
        Case.of("GEN-VCAP-001", c -> bad(c, VolumeCapability.Builder::clearAccessType)),
        Case.of("GEN-VCAP-002", c -> bad(c, VolumeCapability.Builder::clearAccessMode)),
        Case.of(
            "GEN-VCAP-003",
            c -> {
              bad(c, b -> b.setAccessMode(mode(Mode.UNKNOWN_VALUE)));
              bad(c, b -> b.setAccessMode(mode(UNKNOWN_MODE)));
            }),
        Case.of(
            "GEN-VCAP-004",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.need(
                  c.settings().accessType() == Settings.AccessType.MOUNT,
                  "the cases use block volumes");
              c.ok(() -> createVolume(c, volume(c)));
            }),
        Case.of(
            "GEN-VCAP-005",
            c -> {
              c.needs("ctrl:CREATE_DELETE_VOLUME");
              c.make()
                  .supportedVolume(c.requests().mount(Mode.SINGLE_NODE_WRITER), "mounted volumes");
              VolumeCapability bad = Unsupported.withFileSystem(c, "csi-testkit-no-such-fs");
              Outcome<Volume> made =
                  Outcome.of(
                      () ->
                          createVolume(
                              c, volume(c).clearVolumeCapabilities().addVolumeCapabilities(bad)));
              if (made.ok()) {
                refusedOnNode(c, made.answer(), bad);
              } else {
                c.judge("GEN-VCAP-005", made, false);
              }
            }),
        Case.of("GEN-ERR-005", FieldCases::impossible),
        Case.of("GEN-ERR-006", FieldCases::everybodysCodes),
        Case.of(
            "GEN-RPC-007",
            c -> c.ok(() -> c.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance()))),
        Case.of(
            "GEN-OP-001",
            c -> {
              ProbeRequest probe = ProbeRequest.getDefaultInstance();
              for (int i = 0; i < 10 * c.settings().repetitions(); i++) {
                c.ok(() -> c.identity().probe(probe));
              }
            }),
        Case.of("V113-WIRE-001", FieldCases::newerCaller));
  }

  /** A controller need not know what file systems the nodes have; then a node must say it. */
  private static void refusedOnNode(CaseContext c, Volume volume, VolumeCapability bad) {
    c.need(
        c.advertises("service:Node") && !volume.getVolumeId().isEmpty(),
        "the controller does not look at fs_type, and there is no node");
    NodeWork node = c.make().onNode();
    NodeWork.OnNode onNode = node.attach(volume, c.requests().mount(Mode.SINGLE_NODE_WRITER));
    var stage = onNode.stageRequest().setVolumeCapability(bad).build();
    Outcome<?> outcome =
        onNode.stagingPath().isEmpty()
            ? Outcome.of(() -> "not staged")
            : Outcome.of(() -> c.node().nodeStageVolume(stage));
    if (outcome.ok()) {
      var publish = onNode.publishRequest(node.targetPath()).setVolumeCapability(bad).build();
      outcome = Outcome.of(() -> c.node().nodePublishVolume(publish));
    }
    c.check(
        !outcome.ok() && Codes.answered(outcome.code()),
        "a refusal by the controller or by the node",
        outcome);
    c.note("GEN-VCAP-005", "seen: refused on the node only, " + outcome.code());
  }

  private static void everythingMissing(CaseContext c) {
    boolean any = false;
    for (CsiRpc rpc : CsiRpc.values()) {
      if (c.driver().serves(rpc) && !NOTHING_REQUIRED.contains(rpc)) {
        any = true;
        Outcome<?> outcome =
            Outcome.of(
                () -> new ArrayList<>(rpc.call(c.channel(rpc.service()), rpc.emptyRequest())));
        c.check(
            outcome.code() == Status.Code.INVALID_ARGUMENT,
            "INVALID_ARGUMENT for an empty " + rpc.title(),
            outcome);
      }
    }
    c.need(any, "the driver serves nothing that takes fields");
  }

  private static void impossible(CaseContext c) {
    String unknown = c.requests().unknownId();
    Volume none = Volume.newBuilder().setVolumeId(unknown).build();
    c.needs("plugin:CONTROLLER_SERVICE");
    c.refused(() -> ValidateCases.validate(c, none, c.requests().capability()));
    if (c.advertises("ctrl:CREATE_DELETE_SNAPSHOT")) {
      c.refused(() -> c.controller().createSnapshot(c.requests().snapshot(unknown).build()));
      c.refused(() -> createVolume(c, SnapshotCases.from(c, unknown)));
    }
  }

  private static void everybodysCodes(CaseContext c) {
    c.needs("plugin:CONTROLLER_SERVICE");
    Volume none = Volume.newBuilder().setVolumeId(c.requests().unknownId()).build();
    code(c, Status.Code.NOT_FOUND, none, c.requests().capability());
    code(c, Status.Code.INVALID_ARGUMENT, Volume.getDefaultInstance(), c.requests().capability());
    Outcome<?> absent = Outcome.of(() -> ValidateCases.validate(c, none));
    c.check(
        absent.code() == Status.Code.INVALID_ARGUMENT, "INVALID_ARGUMENT before any look", absent);
  }

  private static void code(
      CaseContext c, Status.Code code, Volume volume, VolumeCapability capability) {
    Outcome<?> outcome = Outcome.of(() -> ValidateCases.validate(c, volume, capability));
    c.check(outcome.code() == code, code.name(), outcome);
  }

  private static void newerCaller(CaseContext c) {
    UnknownFieldSet newer =
        UnknownFieldSet.newBuilder()
            .addField(UNKNOWN_FIELD, UnknownFieldSet.Field.newBuilder().addVarint(1).build())
            .build();
    c.ok(
        () ->
            c.identity()
                .getPluginInfo(GetPluginInfoRequest.newBuilder().setUnknownFields(newer).build()));
    c.ok(() -> c.identity().probe(ProbeRequest.newBuilder().setUnknownFields(newer).build()));
    if (c.advertises("ctrl:CREATE_DELETE_VOLUME")) {
      c.ok(() -> createVolume(c, volume(c).setUnknownFields(newer)));
    }
  }

  private static void bad(CaseContext c, UnaryOperator<VolumeCapability.Builder> change) {
    c.needs("ctrl:CREATE_DELETE_VOLUME");
    c.refused(() -> createVolume(c, capability(c, change)));
  }

  private static CreateVolumeRequest.Builder capability(
      CaseContext c, UnaryOperator<VolumeCapability.Builder> change) {
    return volume(c)
        .clearVolumeCapabilities()
        .addVolumeCapabilities(change.apply(c.requests().capability().toBuilder()));
  }

  private static AccessMode mode(int number) {
    return AccessMode.newBuilder().setModeValue(number).build();
  }
}
