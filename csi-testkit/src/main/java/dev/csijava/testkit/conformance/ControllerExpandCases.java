package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.List;

/** ControllerExpandVolume. */
final class ControllerExpandCases implements CaseGroup {
  private static final long BEYOND = 1L << 62;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-EXPAND-002",
            c -> c.refused(() -> expand(c, grown(c, Volume.getDefaultInstance())))),
        Case.of(
            "CTRL-EXPAND-003",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> expand(c, grown(c, volume).clearCapacityRange()));
            }),
        Case.of(
            "CTRL-EXPAND-004",
            c -> {
              Volume none = Volume.newBuilder().setVolumeId(c.requests().unknownId()).build();
              c.refused(() -> expand(c, grown(c, none)));
            }),
        Case.of(
            "controller-expand",
            "A volume grows, and asked again or for less it stays as it is",
            ControllerExpandCases::grow,
            "CTRL-EXPAND-001",
            "CTRL-EXPAND-005",
            "CTRL-EXPAND-013",
            "CTRL-EXPAND-014",
            "CTRL-EXPAND-015",
            "CTRL-EXPAND-017"),
        Case.of(
            "CTRL-EXPAND-006",
            c -> {
              VolumeCapability bad = Unsupported.find(c);
              Volume volume = c.make().volume();
              c.refused(() -> expand(c, grown(c, volume).setVolumeCapability(bad)));
            }),
        Case.of(
            "CTRL-EXPAND-007",
            c -> {
              Volume volume = use(c).volume();
              c.ok(() -> expand(c, grown(c, volume)));
            }),
        Case.of(
            "CTRL-EXPAND-008",
            c -> {
              Volume volume = use(c).volume();
              Outcome<?> outcome = Outcome.of(() -> expand(c, grown(c, volume)));
              c.need(
                  !outcome.ok() || c.advertises("plugin:VolumeExpansion.OFFLINE"),
                  "the driver does not say whether volumes in use grow; they do");
              boolean apart =
                  !c.settings().controllerEndpoint().equals(c.settings().endpoint())
                      && !c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME");
              c.need(!outcome.ok() || !apart, "the controller can't know what a node has");
              c.judge("CTRL-EXPAND-008", outcome, false);
              Kept.size(c, volume);
            }),
        Case.of("CTRL-EXPAND-009", ControllerExpandCases::afterUse),
        Case.of("CTRL-EXPAND-010", ControllerExpandCases::afterUse),
        Case.of("CTRL-EXPAND-011", ControllerExpandCases::afterUse),
        Case.of("CTRL-EXPAND-012", ControllerExpandCases::impossible),
        Case.of(
            "CTRL-EXPAND-016",
            c -> {
              VolumeCapability block = c.requests().block(Mode.SINGLE_NODE_WRITER);
              Volume volume = c.make().supportedVolume(block, "block volumes");
              ControllerExpandVolumeResponse answer =
                  c.ok(() -> expand(c, grown(c, volume).setVolumeCapability(block)));
              c.note(
                  "CTRL-EXPAND-016",
                  "node_expansion_required for block: " + answer.getNodeExpansionRequired());
            }));
  }

  private static void grow(CaseContext c) {
    Volume volume = c.make().volume();
    long wanted = c.settings().expandSize();
    ControllerExpandVolumeRequest.Builder request =
        grown(c, volume).setCapacityRange(Requests.range(wanted, wanted * 2));
    ControllerExpandVolumeResponse first =
        c.ok(
            "CTRL-EXPAND-001",
            () -> expand(c, request.setVolumeCapability(c.requests().capability())));
    long size = first.getCapacityBytes();
    c.check(
        "CTRL-EXPAND-013",
        size >= wanted && size <= wanted * 2,
        wanted + " to " + wanted * 2 + " bytes",
        size);
    ControllerExpandVolumeResponse again =
        c.ok("CTRL-EXPAND-017", () -> expand(c, request.clearVolumeCapability()));
    c.check("CTRL-EXPAND-005", again.getCapacityBytes() == size, size + " bytes", again);
    ControllerExpandVolumeResponse less =
        c.ok(
            "CTRL-EXPAND-005",
            () -> expand(c, request.setCapacityRange(Requests.atLeast(c.settings().size()))));
    c.check("CTRL-EXPAND-005", less.getCapacityBytes() == size, size + " bytes, as before", less);
    boolean needsNode = first.getNodeExpansionRequired();
    c.check("CTRL-EXPAND-015", !needsNode, "no step on a node that has none", first);
    if (needsNode) {
      c.check("CTRL-EXPAND-014", true, "node_expansion_required", first);
    } else {
      c.skip("CTRL-EXPAND-014", "the driver says that its volumes grow without a step on the node");
    }
  }

  private static NodeWork.OnNode use(CaseContext c) {
    c.need(c.advertises("service:Node"), "no node can use the volume");
    Volume volume = c.make().volume();
    NodeWork node = c.make().onNode();
    NodeWork.OnNode onNode = node.stage(volume, c.requests().capability());
    node.publish(onNode);
    return onNode;
  }

  private static void afterUse(CaseContext c) {
    Volume volume = c.make().volume();
    NodeWork node = c.make().onNode();
    NodeWork.OnNode onNode = node.stage(volume, c.requests().capability());
    node.unpublish(onNode, node.publish(onNode));
    node.remove(onNode);
    c.ok(() -> expand(c, grown(c, volume)));
  }

  private static void impossible(CaseContext c) {
    Volume volume = c.make().volume();
    Outcome<ControllerExpandVolumeResponse> outcome =
        Outcome.of(() -> expand(c, grown(c, volume).setCapacityRange(Requests.atLeast(BEYOND))));
    c.need(!outcome.ok(), "the driver grows volumes to any size");
    c.judge("CTRL-EXPAND-012", outcome, false);
    long size = volume.getCapacityBytes();
    Outcome<ControllerExpandVolumeResponse> still =
        Outcome.of(
            () ->
                expand(c, grown(c, volume).setCapacityRange(Requests.atLeast(Math.max(1, size)))));
    c.check(
        still.code() != Status.Code.OK || still.answer().getCapacityBytes() == size || size == 0,
        "the size unchanged, " + size,
        still.ok() ? still.answer() : still);
  }

  private static ControllerExpandVolumeRequest.Builder grown(CaseContext c, Volume volume) {
    return ControllerExpandVolumeRequest.newBuilder()
        .setVolumeId(volume.getVolumeId())
        .setCapacityRange(Requests.atLeast(c.settings().expandSize()));
  }

  private static ControllerExpandVolumeResponse expand(
      CaseContext c, ControllerExpandVolumeRequest.Builder request) {
    return c.controller().controllerExpandVolume(request.build());
  }
}
