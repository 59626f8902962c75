package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeServiceCapability.RPC;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import dev.csijava.testkit.fake.FakeVolume.Publication;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** NodePublishVolume and NodeUnpublishVolume. */
final class PublishCalls {
  private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";

  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  PublishCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  NodePublishVolumeResponse publish(NodePublishVolumeRequest request) {
    FakeServices.gate(settings.nodeService, "NodePublishVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Path target = Fields.path(request.getTargetPath(), "target_path");
    Fields.required(request.hasVolumeCapability(), "volume_capability");
    Capabilities.wellFormed(request.getVolumeCapability());
    if (settings.inlineVolumes
        && request.getVolumeContextOrDefault(EPHEMERAL, "false").equals("true")) {
      return inline(request, target);
    }
    String staging = stagingPath(request);
    FakeVolume volume = state.volume(request.getVolumeId());
    Contexts.check(volume, request.getVolumeContextMap());
    Mode mode = request.getVolumeCapability().getAccessMode().getMode();
    Publication wanted =
        new Publication(
            request.getVolumeCapability(),
            request.getReadonly() || AccessModes.readerOnly(mode),
            staging);
    if (state.inline.containsKey(target.toString())
        || holder(target).filter(other -> other != volume).isPresent()) {
      throw Failure.exists("another volume is published there");
    }
    Publication there = volume.publications.get(target.toString());
    if (there != null) {
      if (!there.equals(wanted)) {
        throw Failure.exists("the volume is published there in another way");
      }
      return NodePublishVolumeResponse.getDefaultInstance();
    }
    services
        .capabilities
        .unsupported(volume, request.getVolumeCapability(), true)
        .ifPresent(
            reason -> {
              throw Failure.precondition(reason);
            });
    checkStaged(volume, wanted);
    checkBeside(volume, mode);
    Targets.make(target, request.getVolumeCapability().hasBlock());
    volume.useWholeCapacity();
    volume.publications.put(target.toString(), wanted);
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  /** Kubelet's way to make a volume on the node, for as long as it stays published. */
  private NodePublishVolumeResponse inline(NodePublishVolumeRequest request, Path target) {
    FakeState.Inline wanted = new FakeState.Inline(request.getVolumeId(), request.getReadonly());
    FakeState.Inline there = state.inline.get(target.toString());
    boolean other = there != null && !there.equals(wanted);
    if (other || state.volumes.containsKey(request.getVolumeId()) || holder(target).isPresent()) {
      throw Failure.exists("another volume has that id, or the target is published in another way");
    }
    if (there == null) {
      Targets.make(target, request.getVolumeCapability().hasBlock());
      state.inline.put(target.toString(), wanted);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private String stagingPath(NodePublishVolumeRequest request) {
    String path = request.getStagingTargetPath();
    if (!path.isEmpty()) {
      path = Fields.path(path, "staging_target_path").toString();
    }
    if (!settings.has(RPC.Type.STAGE_UNSTAGE_VOLUME)) {
      return "";
    }
    if (path.isEmpty()) {
      throw Failure.precondition("staging_target_path is required, since the volume is staged");
    }
    return path;
  }

  private void checkStaged(FakeVolume volume, Publication wanted) {
    if (settings.has(RPC.Type.STAGE_UNSTAGE_VOLUME)
        && !volume.stagings.containsKey(wanted.stagingPath())) {
      throw Failure.precondition("the volume is not staged at staging_target_path");
    }
  }

  private static void checkBeside(FakeVolume volume, Mode mode) {
    for (Map.Entry<String, Publication> other : volume.publications.entrySet()) {
      Mode otherMode = other.getValue().capability().getAccessMode().getMode();
      if (!AccessModes.atManyTargets(mode) || !AccessModes.atManyTargets(otherMode)) {
        throw Failure.precondition("the volume is published at " + other.getKey() + " already");
      }
    }
  }

  NodeUnpublishVolumeResponse unpublish(NodeUnpublishVolumeRequest request) {
    FakeServices.gate(settings.nodeService, "NodeUnpublishVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Path target = Fields.path(request.getTargetPath(), "target_path");
    FakeState.Inline inline = state.inline.get(target.toString());
    if (inline != null && !inline.volumeId().equals(request.getVolumeId())) {
      throw Failure.precondition("another volume is published there");
    }
    state.inline.remove(target.toString());
    FakeVolume volume = state.volumes.get(request.getVolumeId());
    if (holder(target).filter(other -> other != volume).isPresent()) {
      throw Failure.precondition("another volume is published there");
    }
    Targets.remove(target);
    if (volume != null) {
      volume.publications.remove(target.toString());
    }
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  private Optional<FakeVolume> holder(Path target) {
    return state.volumes.values().stream()
        .filter(volume -> volume.publications.containsKey(target.toString()))
        .findFirst();
  }
}
