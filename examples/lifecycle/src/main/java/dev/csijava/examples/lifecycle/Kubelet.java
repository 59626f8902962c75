package dev.csijava.examples.lifecycle;

import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** What kubelet does around its calls: it makes directories, and removes those that are its own. */
final class Kubelet {
  private final Caller caller;
  private final KubeletPaths paths;

  /**
   * @param paths below a root directory of the demo's own, not the node's
   */
  Kubelet(Caller caller, KubeletPaths paths) {
    this.caller = caller;
    this.paths = paths;
  }

  KubeletPaths paths() {
    return paths;
  }

  /** The directory that a pod sees as its volume. */
  Path target(String pod, String volumeName) {
    return paths.publishPath(pod, volumeName);
  }

  void stage(String volumeId) throws IOException {
    Path staging = Files.createDirectories(paths.stagingPath(volumeId));
    caller.node().nodeStageVolume(Requests.stage(volumeId, staging));
  }

  void publish(String volumeId, String volumeName, String pod) throws IOException {
    Path target = target(pod, volumeName);
    Files.createDirectories(Objects.requireNonNull(target.getParent()));
    caller
        .node()
        .nodePublishVolume(Requests.publish(volumeId, paths.stagingPath(volumeId), target));
  }

  void unpublish(String volumeId, String volumeName, String pod) {
    caller
        .node()
        .nodeUnpublishVolume(
            NodeUnpublishVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setTargetPath(target(pod, volumeName).toString())
                .build());
  }

  void unstage(String volumeId) throws IOException {
    Path staging = paths.stagingPath(volumeId);
    caller
        .node()
        .nodeUnstageVolume(
            NodeUnstageVolumeRequest.newBuilder()
                .setVolumeId(volumeId)
                .setStagingTargetPath(staging.toString())
                .build());
    Files.delete(staging);
  }
}
