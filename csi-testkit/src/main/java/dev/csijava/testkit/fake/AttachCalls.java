package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.util.Map;

/** ControllerPublishVolume and ControllerUnpublishVolume. */
final class AttachCalls {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  AttachCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  ControllerPublishVolumeResponse publish(ControllerPublishVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.PUBLISH_UNPUBLISH_VOLUME), "ControllerPublishVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getNodeId(), "node_id");
    Fields.required(request.hasVolumeCapability(), "volume_capability");
    Capabilities.wellFormed(request.getVolumeCapability());
    if (request.getReadonly() && !settings.has(RPC.Type.PUBLISH_READONLY)) {
      throw Failure.invalid("readonly needs the capability PUBLISH_READONLY");
    }
    FakeVolume volume = state.volume(request.getVolumeId());
    if (!settings.nodes.contains(request.getNodeId())) {
      throw Failure.notFound("node", request.getNodeId());
    }
    Contexts.check(volume, request.getVolumeContextMap());
    FakeVolume.Attachment wanted =
        new FakeVolume.Attachment(
            request.getVolumeCapability(),
            request.getReadonly(),
            Map.of("fake.csijava.dev/device", "/dev/fake/" + volume.id));
    FakeVolume.Attachment there = volume.attachments.get(request.getNodeId());
    if (there == null) {
      services
          .capabilities
          .unsupported(volume, request.getVolumeCapability(), false)
          .ifPresent(
              reason -> {
                throw Failure.invalid(reason);
              });
      volume.attachments.forEach((node, other) -> checkBeside(node, other, wanted));
      checkLimit(request.getNodeId());
      volume.attachments.put(request.getNodeId(), wanted);
    } else if (!there.equals(wanted)) {
      throw Failure.exists("the volume is published to that node in another way");
    }
    return ControllerPublishVolumeResponse.newBuilder()
        .putAllPublishContext(wanted.publishContext())
        .build();
  }

  private void checkBeside(String node, FakeVolume.Attachment other, FakeVolume.Attachment wanted) {
    Mode mode = wanted.capability().getAccessMode().getMode();
    Mode otherMode = other.capability().getAccessMode().getMode();
    if (!AccessModes.onManyNodes(mode) || !AccessModes.onManyNodes(otherMode)) {
      throw Failure.precondition("the volume is published to node " + node);
    }
    // Without PUBLISH_READONLY nobody can say at this point who only reads.
    if (settings.has(RPC.Type.PUBLISH_READONLY)
        && (mode == Mode.MULTI_NODE_SINGLE_WRITER || otherMode == Mode.MULTI_NODE_SINGLE_WRITER)
        && writes(wanted)
        && writes(other)) {
      throw Failure.precondition("the volume is written by node " + node);
    }
  }

  private static boolean writes(FakeVolume.Attachment attachment) {
    return !attachment.readonly()
        && !AccessModes.readerOnly(attachment.capability().getAccessMode().getMode());
  }

  private void checkLimit(String node) {
    if (settings.maxVolumesPerNode > 0 && state.attachedTo(node) >= settings.maxVolumesPerNode) {
      throw Failure.exhausted(
          "node " + node + " has its " + settings.maxVolumesPerNode + " volumes already");
    }
  }

  ControllerUnpublishVolumeResponse unpublish(ControllerUnpublishVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.PUBLISH_UNPUBLISH_VOLUME), "ControllerUnpublishVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    FakeVolume volume = state.volumes.get(request.getVolumeId());
    if (volume != null) {
      if (request.getNodeId().isEmpty()) {
        volume.attachments.clear();
      } else {
        volume.attachments.remove(request.getNodeId());
      }
    }
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }
}
