package dev.csijava.examples.folders;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import java.util.Optional;

/** The node's side: a folder appears in a pod. */
// region node
final class FolderNode implements Publishing {
  private final Mounter mounter = Mounter.system();
  private final FolderStore store;

  FolderNode(FolderStore store) {
    this.store = store;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    Folder folder =
        store
            .find(request.getVolumeId())
            .orElseThrow(
                () -> CsiException.notFound("there is no volume " + request.getVolumeId()));
    if (!request.getVolumeCapability().hasMount()) {
      throw CsiException.failedPrecondition("folders can't be had as block devices");
    }
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    MountOptions flags =
        MountOptions.parse(request.getVolumeCapability().getMount().getMountFlagsList());
    target.createDirectory(mounter);
    mounter.bind(
        folder.data(), target.path(), request.getReadonly() ? flags.withReadOnly() : flags);
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    Optional<Mount> there = mounter.mountAt(target.path());
    if (there.isPresent() && !Folder.isShownBy(there.get(), request.getVolumeId())) {
      throw CsiException.failedPrecondition("something else is mounted at target_path");
    }
    mounter.unmount(target.path());
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }
}
// endregion
