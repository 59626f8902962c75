package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import io.grpc.Status;
import java.util.List;

/** ControllerPublishVolume and ControllerUnpublishVolume on one node. */
final class ControllerPublishCases implements CaseGroup {
  private static final int MOST_TRIED = 256;

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "CTRL-PUB-002",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> publish(c, c.requests().attach(volume).setVolumeId("")));
            }),
        Case.of(
            "CTRL-PUB-003",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> publish(c, c.requests().attach(volume).setNodeId("")));
            }),
        Case.of(
            "CTRL-PUB-004",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> publish(c, c.requests().attach(volume).clearVolumeCapability()));
              String unknown = c.requests().unknownId();
              c.refused(
                  () ->
                      publish(
                          c,
                          c.requests()
                              .attach(volume)
                              .setVolumeId(unknown)
                              .setNodeId(unknown)
                              .clearVolumeCapability()));
            }),
        Case.of(
            "CTRL-PUB-005",
            c -> {
              Volume none = Volume.newBuilder().setVolumeId(c.requests().unknownId()).build();
              c.refused(() -> publish(c, c.requests().attach(none)));
            }),
        Case.of(
            "CTRL-PUB-006",
            c -> {
              Volume volume = c.make().volume();
              String unknown = c.requests().unknownId();
              c.refused(() -> publish(c, c.requests().attach(volume).setNodeId(unknown)));
            }),
        Case.of(
            "controller-publish",
            "A volume is attached to the node, and again with the same answer",
            ControllerPublishCases::attach,
            "CTRL-PUB-001",
            "CTRL-PUB-007",
            "CTRL-PUB-018",
            "CTRL-PUB-019",
            "CTRL-PUB-022",
            "NODE-INFO-007"),
        Case.of("CTRL-PUB-008", ControllerPublishCases::otherCapability),
        Case.of(
            "CTRL-PUB-009",
            c -> {
              Volume volume = c.make().volume();
              c.prepare(() -> publish(c, c.requests().attach(volume)));
              c.refused(() -> publish(c, c.requests().attach(volume).setReadonly(true)));
            }),
        Case.of("CTRL-PUB-013", ControllerPublishCases::limit).runAlone(),
        Case.of(
            "CTRL-PUB-014",
            c -> {
              VolumeCapability bad = Unsupported.find(c);
              Volume volume = c.make().volume();
              c.refused(() -> publish(c, c.requests().attach(volume).setVolumeCapability(bad)));
            }),
        Case.of(
            "CTRL-PUB-015",
            c -> {
              Volume volume = c.make().volume();
              ControllerPublishVolumeRequest.Builder request =
                  c.requests().attach(volume).setReadonly(true);
              c.ok(() -> publish(c, request));
              c.ok(() -> publish(c, request));
            }),
        Case.of(
            "CTRL-PUB-016",
            c -> {
              Volume volume = c.make().volume();
              c.refused(() -> publish(c, c.requests().attach(volume).setReadonly(true)));
            }),
        Case.of(
            "CTRL-PUB-021",
            c -> {
              Volume volume = c.make().volume();
              c.refused(
                  () ->
                      publish(
                          c,
                          c.requests()
                              .attach(volume)
                              .putVolumeContext("csi-testkit/foreign", "context")));
            }),
        Case.of("CTRL-UNPUB-002", c -> c.refused(() -> unpublish(c, "", nodeId(c)))),
        Case.of(
            "controller-unpublish",
            "A volume is detached, and detaching it again succeeds",
            c -> {
              Volume volume = c.make().volume();
              String id = volume.getVolumeId();
              c.ok("CTRL-UNPUB-003", () -> unpublish(c, id, nodeId(c)));
              c.prepare(() -> publish(c, c.requests().attach(volume)));
              c.ok("CTRL-UNPUB-001", () -> unpublish(c, id, nodeId(c)));
              c.ok("CTRL-UNPUB-003", () -> unpublish(c, id, nodeId(c)));
              c.prepare(() -> publish(c, c.requests().attach(volume)));
              c.ok("CTRL-UNPUB-008", () -> unpublish(c, id, ""));
              // A volume that is attached nowhere can be deleted.
              c.ok("CTRL-UNPUB-008", () -> DeleteVolumeCases.delete(c, id));
              c.ok("CTRL-UNPUB-004", () -> unpublish(c, id, nodeId(c)));
            },
            "CTRL-UNPUB-001",
            "CTRL-UNPUB-003",
            "CTRL-UNPUB-004",
            "CTRL-UNPUB-008"),
        Case.of(
            "CTRL-UNPUB-005",
            c ->
                c.answers(
                    "CTRL-UNPUB-005", () -> unpublish(c, c.requests().unknownId(), nodeId(c)))),
        Case.of(
            "CTRL-UNPUB-006",
            c -> {
              Volume volume = c.make().volume();
              c.answers(
                  "CTRL-UNPUB-006",
                  () -> unpublish(c, volume.getVolumeId(), c.requests().unknownId()));
            }),
        Case.of("CTRL-DELETE-005", ControllerPublishCases::deleteInUse));
  }

  private static void attach(CaseContext c) {
    Volume volume = c.make().volume();
    ControllerPublishVolumeRequest.Builder request = c.requests().attach(volume);
    ControllerPublishVolumeResponse first = c.ok("CTRL-PUB-001", () -> publish(c, request));
    c.check("NODE-INFO-007", true, "", "");
    ControllerPublishVolumeResponse again = c.ok("CTRL-PUB-007", () -> publish(c, request));
    c.same("CTRL-PUB-019", first.getPublishContextMap(), again.getPublishContextMap());
    int length = Texts.bytes(nodeId(c));
    if (length > 128) {
      c.check("CTRL-PUB-022", true, "", "");
    } else {
      c.skip("CTRL-PUB-022", "the driver's node id has " + length + " bytes");
    }
    if (c.advertises("ctrl:LIST_VOLUMES_PUBLISHED_NODES") && c.advertises("ctrl:LIST_VOLUMES")) {
      boolean listed =
          Listing.volumes(c).stream()
              .filter(entry -> entry.getVolume().getVolumeId().equals(volume.getVolumeId()))
              .anyMatch(entry -> entry.getStatus().getPublishedNodeIdsList().contains(nodeId(c)));
      c.check("CTRL-PUB-018", listed, "the node among published_node_ids", "not there");
    } else {
      c.check("CTRL-PUB-018", true, "", "");
    }
  }

  private static void otherCapability(CaseContext c) {
    VolumeCapability writer = c.requests().capability();
    VolumeCapability other = c.requests().capability(Mode.SINGLE_NODE_READER_ONLY);
    c.make().supportedVolume(other, "volumes for one reader");
    Volume volume = c.make().volume(writer, other);
    c.prepare(() -> publish(c, c.requests().attach(volume).setVolumeCapability(writer)));
    c.refused(() -> publish(c, c.requests().attach(volume).setVolumeCapability(other)));
  }

  private static void limit(CaseContext c) {
    c.need(c.settings().attachLimit(), "--attach-limit is not given");
    long limit = c.nodeInfo().getMaxVolumesPerNode();
    c.need(limit > 0, "the node tells no limit");
    c.need(limit <= MOST_TRIED, "the limit of " + limit + " is too high to be tried");
    for (long i = 0; i < limit; i++) {
      Volume volume = c.make().volume();
      c.prepare(() -> publish(c, c.requests().attach(volume)));
    }
    Volume more = c.make().volume();
    c.refused(() -> publish(c, c.requests().attach(more)));
  }

  private static void deleteInUse(CaseContext c) {
    Volume volume = c.make().volume();
    String id = volume.getVolumeId();
    if (c.advertises("ctrl:PUBLISH_UNPUBLISH_VOLUME")) {
      c.prepare(() -> publish(c, c.requests().attach(volume)));
      c.refused(() -> DeleteVolumeCases.delete(c, id));
    } else {
      c.need(c.advertises("service:Node"), "nothing here can use a volume");
      NodeWork node = c.make().onNode();
      node.publish(node.stage(volume, c.requests().capability()));
      var outcome = Outcome.of(() -> DeleteVolumeCases.delete(c, id));
      boolean apart = !c.settings().controllerEndpoint().equals(c.settings().endpoint());
      c.need(!outcome.ok() || !apart, "the controller can't know what is published on a node");
      c.judge("CTRL-DELETE-005", outcome, false);
    }
    Outcome<?> intact =
        Outcome.of(() -> ValidateCases.validate(c, volume, c.requests().capability()));
    c.check(intact.code() != Status.Code.NOT_FOUND, "the volume intact", intact);
  }

  static String nodeId(CaseContext c) {
    return c.nodeInfo().getNodeId();
  }

  static ControllerPublishVolumeResponse publish(
      CaseContext c, ControllerPublishVolumeRequest.Builder request) {
    return c.controller().controllerPublishVolume(request.build());
  }

  static ControllerUnpublishVolumeResponse unpublish(CaseContext c, String volume, String node) {
    return c.controller()
        .controllerUnpublishVolume(
            ControllerUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volume)
                .setNodeId(node)
                .build());
  }
}
