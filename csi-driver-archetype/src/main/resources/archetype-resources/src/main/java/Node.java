package ${package};

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.nio.file.Path;

/** The node's side: a volume appears in a pod. */
final class Node implements Publishing {
  private final Mounter mounter = Mounter.system();
  private final VolumeStore store;

  Node(VolumeStore store) {
    this.store = store;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    StoredVolume volume =
        store
            .find(request.getVolumeId())
            .orElseThrow(() -> CsiException.notFound("there is no such volume"));
    if (!KubernetesKeys.withoutReserved(request.getVolumeContextMap()).isEmpty()) {
      throw CsiException.invalidArgument("volume_context is not the one of the volume");
    }
    if (!StoredVolume.serves(request.getVolumeCapability())) {
      throw CsiException.failedPrecondition("a volume is a directory of one node");
    }
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    MountOptions options = options(request);
    // Two targets of one volume are published side by side, and each must see the other.
    synchronized (volume) {
      if (mode(request.getVolumeCapability()) != Mode.SINGLE_NODE_MULTI_WRITER) {
        requireNoOther(volume, target.path());
      }
      target.createDirectory(mounter);
      mounter.bind(volume.data(), target.path(), options);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private static Mode mode(VolumeCapability capability) {
    return capability.getAccessMode().getMode();
  }

  private static MountOptions options(NodePublishVolumeRequest request) {
    VolumeCapability capability = request.getVolumeCapability();
    MountOptions options = MountOptions.parse(capability.getMount().getMountFlagsList());
    boolean readOnly = request.getReadonly() || mode(capability) == Mode.SINGLE_NODE_READER_ONLY;
    return readOnly ? options.withReadOnly() : options;
  }

  private static void requireNoOther(StoredVolume volume, Path target) {
    for (Path other : Publications.targets(volume)) {
      if (!other.equals(target)) {
        throw CsiException.failedPrecondition("the volume is published at another target");
      }
    }
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    String id = request.getVolumeId();
    if (mounter.mountAt(target.path()).filter(mount -> !Publications.isOf(id, mount)).isPresent()) {
      throw CsiException.failedPrecondition("something else is mounted at target_path");
    }
    mounter.unmount(target.path());
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }
}
