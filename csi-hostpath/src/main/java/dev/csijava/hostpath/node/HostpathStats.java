package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import java.nio.file.Path;

/**
 * Use of a volume, at its staging path or at a target: of an image that of its own file system, of
 * a raw block volume its size and nothing else (B110), of a directory that of the file system that
 * it lies on.
 */
public final class HostpathStats implements VolumeStats {
  private final NodeVolumes volumes;

  /**
   * @param volumes what can be measured
   */
  public HostpathStats(NodeVolumes volumes) {
    this.volumes = volumes;
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    Path path = path(request.getVolumePath());
    if (!volumes.isShownAt(volume, path)) {
      throw CsiException.notFound("the volume is not mounted at volume_path");
    }
    return NodeGetVolumeStatsResponse.newBuilder()
        .addAllUsage(volumes.backing(volume).usage(path).toMessages())
        .build();
  }

  // csi-sanity sends a relative path and wants NOT_FOUND; it is true of any path that can't be one.
  private static Path path(String value) {
    try {
      return TargetPath.of("volume_path", value).path();
    } catch (CsiException e) {
      throw CsiException.notFound("the volume is not mounted at volume_path: " + e.getMessage());
    }
  }
}
