package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.List;

/** ControllerPublishVolume and ControllerUnpublishVolume on one node. */
final class ControllerPublishCases implements CaseGroup {
  private static final int MOST_TRIED = 256;

  /** Bytes; longer than other texts may be. */
  private static final int LONG_NODE_ID = 128;

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
            "NODE-INFO-007"),
        Case.of(
            "CTRL-PUB-022",
            c -> {
              int length = Texts.bytes(nodeId(c));
              c.need(length > LONG_NODE_ID, "the driver's node id has " + length + " bytes");
              Volume volume = c.make().volume();
              c.ok(() -> publish(c, c.requests().attach(volume)));
            }),
        Case.of("CTRL-PUB-008", ControllerPublishCases::otherCapability),
        Case.of(
            "CTRL-PUB-009",
            c -> {
              Volume volume = c.make().volume();
              c.prepare(() -> publish(c, c.requests().attach(volume)));
              c.refused(() -> publish(c, c.requests().attach(volume).setReadonly(true)));
              Kept.attachedTo(c, volume, nodeId(c));
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
              c.refusedOrIgnored(
                  "a key in volume_context that is not the volume's",
                  () ->
                      publish(
                          c,
                          c.requests()
                              .attach(volume)
                              .putVolumeContext("csi-testkit/foreign", "context")));
            }),
        Case.of("CTRL-UNPUB-002", c -> c.refused(() -> unpublish(c, "", nodeId(c)))),
        Case.of("CTRL-UNPUB-001", ControllerPublishCases::detach),
        Case.of("CTRL-UNPUB-003", ControllerPublishCases::detachAgain),
        Case.of("CTRL-UNPUB-004", ControllerPublishCases::detachDeleted),
        Case.of("CTRL-UNPUB-008", ControllerPublishCases::detachEverywhere),
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
    if (Listing.tellsNodes(c)) {
      boolean listed = Listing.nodesOf(c, volume).contains(nodeId(c));
      c.check("CTRL-PUB-018", listed, "the node among published_node_ids", "not there");
    } else {
      c.check("CTRL-PUB-018", true, "", "");
    }
  }

  /** Each row of detaching has a case of its own, so that none hides behind another. */
  private static void detach(CaseContext c) {
    Volume volume = c.make().volume();
    c.prepare(() -> publish(c, c.requests().attach(volume)));
    c.ok(() -> unpublish(c, volume.getVolumeId(), nodeId(c)));
    attachedNowhere(c, volume);
  }

  private static void detachAgain(CaseContext c) {
    Volume volume = c.make().volume();
    c.ok(() -> unpublish(c, volume.getVolumeId(), nodeId(c)));
    c.prepare(() -> publish(c, c.requests().attach(volume)));
    c.prepare(() -> unpublish(c, volume.getVolumeId(), nodeId(c)));
    for (int i = 1; i < c.settings().repetitions(); i++) {
      c.ok(() -> unpublish(c, volume.getVolumeId(), nodeId(c)));
    }
  }

  private static void detachDeleted(CaseContext c) {
    Volume volume = c.make().volume();
    c.prepare(() -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    c.ok(() -> unpublish(c, volume.getVolumeId(), nodeId(c)));
  }

  private static void detachEverywhere(CaseContext c) {
    Volume volume = c.make().volume();
    c.prepare(() -> publish(c, c.requests().attach(volume)));
    c.ok(() -> unpublish(c, volume.getVolumeId(), ""));
    attachedNowhere(c, volume);
  }

  /** No node is listed with the volume, as far as the driver tells, and it can be deleted. */
  private static void attachedNowhere(CaseContext c, Volume volume) {
    if (Listing.tellsNodes(c)) {
      List<String> nodes = Listing.nodesOf(c, volume);
      c.check(nodes.isEmpty(), "no published_node_ids", nodes);
    }
    Outcome<?> deleted = Outcome.of(() -> DeleteVolumeCases.delete(c, volume.getVolumeId()));
    c.check(deleted.ok(), "a volume that can be deleted, since it is attached nowhere", deleted);
  }

  private static void otherCapability(CaseContext c) {
    VolumeCapability writer = c.requests().capability();
    VolumeCapability other = c.requests().capability(Mode.SINGLE_NODE_READER_ONLY);
    c.make().supportedVolume(other, "volumes for one reader");
    Volume volume = c.make().volume(writer, other);
    var first =
        c.prepare(() -> publish(c, c.requests().attach(volume).setVolumeCapability(writer)));
    Outcome<ControllerPublishVolumeResponse> second =
        Outcome.of(() -> publish(c, c.requests().attach(volume).setVolumeCapability(other)));
    Kept.attachedTo(c, volume, nodeId(c));
    if (second.ok()) {
      c.same("CTRL-PUB-008", first.getPublishContextMap(), second.answer().getPublishContextMap());
      c.note("CTRL-PUB-008", "seen: OK, for an attachment that serves writers and readers alike");
    } else {
      c.judge("CTRL-PUB-008", second, false);
    }
  }

  private static void limit(CaseContext c) {
    c.need(c.settings().attachLimit(), "--attach-limit is not given");
    long limit = c.nodeInfo().getMaxVolumesPerNode();
    c.need(limit > 0, "the node tells no limit");
    c.need(limit <= MOST_TRIED, "the limit of " + limit + " is too high to be tried");
    for (long i = 0; i <= limit; i++) {
      Volume volume = c.make().volume();
      Outcome<?> outcome = Outcome.of(() -> publish(c, c.requests().attach(volume)));
      if (!outcome.ok()) {
        // Volumes of others may be on the node already.
        c.judge("CTRL-PUB-013", outcome, false);
        c.note("CTRL-PUB-013", "refused after " + i + " of " + limit + " volumes");
        return;
      }
    }
    c.check(false, "a refusal after " + limit + " volumes", "one more was attached");
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
    c.check(intact.ok(), "the volume intact", intact);
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
