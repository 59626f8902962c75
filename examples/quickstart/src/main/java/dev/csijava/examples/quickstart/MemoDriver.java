package dev.csijava.examples.quickstart;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiDriver;
import dev.csijava.core.CsiException;
import dev.csijava.core.CsiServer;
import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import java.util.List;

/**
 * A whole driver: inline volumes in memory, one a pod, that end with the pod. It needs no
 * controller and keeps no state. The volume's id becomes the source of its mount, so the kernel's
 * table alone tells whose mount lies at a target, after a restart too.
 *
 * <p>Safe for use by several threads: the framework lets one call at a time work on a target.
 */
// region driver
public final class MemoDriver implements Publishing {
  private final Mounter mounter = Mounter.system();

  public static void main(String[] args) throws Exception {
    CsiServer.serve(driver(System.getenv("NODE_NAME"))); // at CSI_ENDPOINT, until SIGTERM
  }

  static CsiDriver driver(String node) {
    return CsiDriver.named("memo.example.com")
        .version("1.0.0")
        .node(n -> n.id(node).publishing(new MemoDriver()))
        .build();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    String size = request.getVolumeContextOrDefault("size", "64m");
    if (!request.getVolumeCapability().hasMount() || !size.matches("[1-9][0-9]{0,8}[kmg]")) {
      throw CsiException.invalidArgument("a directory is served; its size is like 64m, k or g");
    }
    target.createDirectory(mounter);
    List<String> options = List.of("size=" + size, request.getReadonly() ? "ro" : "rw");
    mounter.mount(source(request.getVolumeId()), target.path(), "tmpfs", options);
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    String ours = source(request.getVolumeId());
    if (!mounter.mountAt(target.path()).map(mount -> mount.source().equals(ours)).orElse(true)) {
      throw CsiException.failedPrecondition("something else is mounted at target_path");
    }
    mounter.unmount(target.path());
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  private static String source(String volumeId) {
    return "memo-" + KubeletPaths.volumeHandleHash(volumeId);
  }
}
// endregion
