package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.testkit.conformance.Kubelet.Pod;
import dev.csijava.testkit.conformance.NodeWork.OnNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the attacher and the resizer do. */
final class ControllerCallerCases implements CaseGroup {
  private static final Duration ATTACHER = Duration.ofSeconds(15);
  private static final Duration RESIZER = Duration.ofSeconds(10);

  @Override
  public List<Case> cases() {
    return List.of(
        Case.of(
            "engine-callers-attacher",
            "A volume is attached and detached as the attacher does it",
            ControllerCallerCases::attacher,
            "ENGINE-CALLER-006",
            "ENGINE-CALLER-007",
            "CTRL-PUB-019"),
        Case.of(
            "engine-callers-resizer",
            "A claim grows as the resizer and kubelet do it",
            ControllerCallerCases::resizer,
            "ENGINE-CALLER-008"),
        Case.of(
            "engine-callers-modify",
            "A class of attributes is applied as the resizer does it",
            ControllerCallerCases::modify,
            "ENGINE-CALLER-009"));
  }

  private static void capabilities(CaseContext c, String row) {
    c.ok(
        row,
        () ->
            c.controller()
                .controllerGetCapabilities(ControllerGetCapabilitiesRequest.getDefaultInstance()));
  }

  private static void attacher(CaseContext context) {
    String row = "ENGINE-CALLER-006";
    CaseContext c = context.calling(false, ATTACHER);
    capabilities(c, row);
    Volume volume = c.make().volume();
    String id = volume.getVolumeId();
    String here = c.nodeInfo().getNodeId();
    Retries.answer(c, row, () -> ControllerPublishCases.unpublish(c, id, here));
    ControllerPublishVolumeRequest request = c.requests().attach(volume).build();
    CaseContext impatient = Retries.impatient(context);
    Outcome.of(() -> impatient.controller().controllerPublishVolume(request));
    ControllerPublishVolumeResponse first =
        Retries.answer(c, row, () -> c.controller().controllerPublishVolume(request));
    ControllerPublishVolumeResponse again =
        Retries.answer(c, row, () -> c.controller().controllerPublishVolume(request));
    c.same(row, first, again);
    c.same("CTRL-PUB-019", first.getPublishContextMap(), again.getPublishContextMap());
    nodesAre(c, id, List.of(here));
    Outcome.of(() -> ControllerPublishCases.unpublish(impatient, id, here));
    Retries.answer(c, row, () -> ControllerPublishCases.unpublish(c, id, here));
    Retries.answer(c, row, () -> ControllerPublishCases.unpublish(c, id, here));
    nodesAre(c, id, List.of());
  }

  private static void nodesAre(CaseContext c, String volumeId, List<String> nodes) {
    String row = "ENGINE-CALLER-007";
    if (c.applies(row)) {
      Optional<ListVolumesResponse.Entry> entry =
          Listing.volumes(c).stream()
              .filter(one -> one.getVolume().getVolumeId().equals(volumeId))
              .findFirst();
      c.check(row, entry.isPresent(), "the volume in the list", "it is not there");
      List<String> listed =
          entry.map(one -> List.copyOf(one.getStatus().getPublishedNodeIdsList())).orElse(nodes);
      c.same(row, nodes, listed);
    }
  }

  private static void resizer(CaseContext context) {
    String row = "ENGINE-CALLER-008";
    CaseContext c = context.calling(false, RESIZER);
    Volume volume = c.make().volume();
    boolean online = c.advertises("plugin:VolumeExpansion.ONLINE");
    boolean node = c.advertises("service:Node") && c.advertises("node:EXPAND_VOLUME");
    if (!node) {
      grow(c, row, volume);
      return;
    }
    Kubelet kubelet = new Kubelet(c, row);
    Pod pod = kubelet.pod("db-0");
    boolean required = !online && grow(c, row, volume).getNodeExpansionRequired();
    OnNode onNode = kubelet.attach(volume, c.requests().capability());
    kubelet.stage(onNode);
    kubelet.publish(onNode, pod, TokenPlace.VOLUME_CONTEXT);
    if (online) {
      required = grow(c, row, volume).getNodeExpansionRequired();
    }
    if (required) {
      long wished = c.settings().expandSize();
      for (int i = 0; i < 2; i++) {
        long bytes = kubelet.expand(onNode, pod, wished).getCapacityBytes();
        c.check(row, bytes == 0 || bytes >= wished, "at least " + wished, bytes);
      }
    }
    kubelet.stats(onNode, pod);
    kubelet.unpublish(onNode, pod);
    kubelet.unstage(onNode);
    kubelet.detach(onNode);
  }

  static ControllerExpandVolumeResponse grow(CaseContext c, String row, Volume volume) {
    capabilities(c, row);
    long wished = c.settings().expandSize();
    ControllerExpandVolumeRequest request =
        ControllerExpandVolumeRequest.newBuilder()
            .setVolumeId(volume.getVolumeId())
            .setCapacityRange(Requests.atLeast(wished))
            .setVolumeCapability(c.requests().capability())
            .build();
    CaseContext impatient = Retries.impatient(c);
    Outcome.of(() -> impatient.controller().controllerExpandVolume(request));
    ControllerExpandVolumeResponse first =
        Retries.answer(c, row, () -> c.controller().controllerExpandVolume(request));
    ControllerExpandVolumeResponse again =
        Retries.answer(c, row, () -> c.controller().controllerExpandVolume(request));
    c.check(row, first.getCapacityBytes() >= wished, "at least " + wished, first);
    c.same(row, first.getCapacityBytes(), again.getCapacityBytes());
    return first;
  }

  private static void modify(CaseContext context) {
    String row = "ENGINE-CALLER-009";
    CaseContext c = context.calling(false, RESIZER);
    Map<String, String> attributes = c.settings().mutableParameters();
    c.need(!attributes.isEmpty(), "--mutable-parameters is not given");
    capabilities(c, row);
    ControllerModifyVolumeRequest request =
        ControllerModifyVolumeRequest.newBuilder()
            .setVolumeId(c.make().volume().getVolumeId())
            .putAllMutableParams(attributes)
            .build();
    CaseContext impatient = Retries.impatient(c);
    Outcome.of(() -> impatient.controller().controllerModifyVolume(request));
    Retries.answer(c, row, () -> c.controller().controllerModifyVolume(request));
    Retries.answer(c, row, () -> c.controller().controllerModifyVolume(request));
  }
}
