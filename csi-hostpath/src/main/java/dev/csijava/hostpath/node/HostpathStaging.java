package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Staging;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;

/** Makes a volume appear at the caller's staging directory by a bind mount, and takes it away. */
public final class HostpathStaging implements Staging {
  private final NodeVolumes volumes;
  private final StagedVolumes staged;
  private final Detachment detachment;
  private final AttachedNodes attached;

  /**
   * @param detachment unmounts
   * @param attached what may be mounted here
   */
  public HostpathStaging(
      NodeVolumes volumes, StagedVolumes staged, Detachment detachment, AttachedNodes attached) {
    this.volumes = volumes;
    this.staged = staged;
    this.detachment = detachment;
    this.attached = attached;
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call) {
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    Record volume = volumes.require(request.getVolumeId());
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    MountOptions options =
        attached.require(volume, AccessRules.forNode(request.getVolumeCapability()));
    staged.stage(volume, staging, options);
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(
      NodeUnstageVolumeRequest request, CallContext call) {
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    if (volumes.isOursToTake(request.getVolumeId(), staging.path())) {
      detachment.unstage(staging.path());
    }
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }
}
