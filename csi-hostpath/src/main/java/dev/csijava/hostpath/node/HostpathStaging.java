package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Staging;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;

/** Makes a volume available at the caller's staging directory, and takes it away. */
public final class HostpathStaging implements Staging {
  private final NodeVolumes volumes;
  private final StagedVolumes staged;
  private final AttachedNodes attached;

  /**
   * @param staged does the work
   * @param attached what may be mounted here
   */
  public HostpathStaging(NodeVolumes volumes, StagedVolumes staged, AttachedNodes attached) {
    this.volumes = volumes;
    this.staged = staged;
    this.attached = attached;
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call) {
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    Record volume = volumes.require(request.getVolumeId());
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    staged.stage(
        volume,
        staging,
        attached.require(volume, NodeCapabilities.access(volume, request.getVolumeCapability())));
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(
      NodeUnstageVolumeRequest request, CallContext call) {
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    staged.unstage(request.getVolumeId(), staging.path());
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }
}
