package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.NodeServiceCapability.RPC;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** NodeStageVolume and NodeUnstageVolume: bookkeeping, on directories that the caller made. */
final class StageCalls {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  StageCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  NodeStageVolumeResponse stage(NodeStageVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.STAGE_UNSTAGE_VOLUME), "NodeStageVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Path path = Fields.path(request.getStagingTargetPath(), "staging_target_path");
    Fields.required(request.hasVolumeCapability(), "volume_capability");
    Capabilities.wellFormed(request.getVolumeCapability());
    FakeVolume volume = state.volume(request.getVolumeId());
    Contexts.check(volume, request.getVolumeContextMap());
    VolumeCapability there = volume.stagings.get(path.toString());
    if (there != null && !there.equals(request.getVolumeCapability())) {
      throw Failure.exists("the volume is staged there with another capability");
    }
    services
        .capabilities
        .unsupported(volume, request.getVolumeCapability(), true)
        .ifPresent(
            reason -> {
              throw Failure.precondition(reason);
            });
    if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
      throw Failure.invalid("staging_target_path is no directory");
    }
    if (holder(path).filter(other -> other != volume).isPresent()) {
      throw Failure.exists("another volume is staged there");
    }
    volume.useWholeCapacity();
    volume.stagings.put(path.toString(), request.getVolumeCapability());
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  NodeUnstageVolumeResponse unstage(NodeUnstageVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.STAGE_UNSTAGE_VOLUME), "NodeUnstageVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Path path = Fields.path(request.getStagingTargetPath(), "staging_target_path");
    FakeVolume volume = state.volumes.get(request.getVolumeId());
    if (holder(path).filter(other -> other != volume).isPresent()) {
      throw Failure.precondition("another volume is staged there");
    }
    if (volume != null) {
      if (volume.publications.values().stream()
          .anyMatch(publication -> publication.stagingPath().equals(path.toString()))) {
        throw Failure.precondition("the volume is still published from there");
      }
      volume.stagings.remove(path.toString());
    }
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  private Optional<FakeVolume> holder(Path path) {
    return state.volumes.values().stream()
        .filter(volume -> volume.stagings.containsKey(path.toString()))
        .findFirst();
  }
}
