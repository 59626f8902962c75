package dev.csijava.examples.inline;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Writes the files of a volume and shows them to its pod, read-only. Kubelet repeats
 * NodePublishVolume again and again where the CSIDriver object has {@code requiresRepublish}: then
 * the mount stays, and the files change if what they say has changed.
 */
final class PodInfoPublishing implements Publishing {
  private static final MountOptions READ_ONLY =
      MountOptions.of(
          MountOptions.Flag.RO,
          MountOptions.Flag.NOSUID,
          MountOptions.Flag.NODEV,
          MountOptions.Flag.NOEXEC);

  private final VolumeFolders folders;
  private final Mounter mounter;

  PodInfoPublishing(VolumeFolders folders, Mounter mounter) {
    this.folders = folders;
    this.mounter = mounter;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    if (!request.getVolumeCapability().hasMount()
        || !request.getVolumeCapability().getMount().getFsType().isEmpty()) {
      throw CsiException.invalidArgument("a directory is served, without a choice of file system");
    }
    if (!request.getReadonly()) {
      throw CsiException.invalidArgument("the files are the driver's: set readOnly: true");
    }
    MountOptions.parse(request.getVolumeCapability().getMount().getMountFlagsList());
    Map<String, String> files = PodFiles.of(request);
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    try {
      publish(folders.of(request.getVolumeId()), target, files);
    } catch (IOException e) {
      throw CsiException.unavailable("the files can't be written", e);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private synchronized void publish(
      VolumeFolders.Folder folder, TargetPath target, Map<String, String> files)
      throws IOException {
    Optional<Path> published = folder.publishedAt(mounter);
    if (published.isPresent() && !published.get().equals(target.path())) {
      throw CsiException.failedPrecondition("the volume is published at " + published.get());
    }
    if (isForeign(folder, target)) {
      throw CsiException.alreadyExists("something else is mounted at target_path");
    }
    AtomicFiles atomic = folder.make(target.path());
    atomic.write(files);
    target.createDirectory(mounter);
    mounter.bind(folder.files(), target.path(), READ_ONLY);
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    try {
      unpublish(folders.of(request.getVolumeId()), target);
    } catch (IOException e) {
      throw CsiException.unavailable("the files can't be removed", e);
    }
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  private synchronized void unpublish(VolumeFolders.Folder folder, TargetPath target)
      throws IOException {
    if (isForeign(folder, target)) {
      throw CsiException.failedPrecondition("something else is mounted at target_path");
    }
    mounter.unmount(target.path());
    target.remove(mounter);
    if (folder.publishedAt(mounter).isEmpty()) {
      folder.remove();
    }
  }

  private boolean isForeign(VolumeFolders.Folder folder, TargetPath target) {
    return mounter.mountAt(target.path()).filter(mount -> !folder.isShownBy(mount)).isPresent();
  }
}
