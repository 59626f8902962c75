package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import java.nio.file.Path;

/**
 * Use of a volume, at its staging path or at a target. A directory volume has no size of its own:
 * these are the numbers of the file system that it lies on. No tree is walked.
 */
public final class HostpathStats implements VolumeStats {
  private final NodeVolumes volumes;
  private final UsageReader usage;

  /**
   * @param usage measures
   */
  public HostpathStats(NodeVolumes volumes, UsageReader usage) {
    this.volumes = volumes;
    this.usage = usage;
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
        .addAllUsage(usage.ofFileSystem(path).toMessages())
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
