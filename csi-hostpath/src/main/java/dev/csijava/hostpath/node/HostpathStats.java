package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.mount.VolumeUsage;
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
  private final Stagings stagings;

  /**
   * @param volumes what can be measured
   */
  public HostpathStats(NodeVolumes volumes, Stagings stagings) {
    this.volumes = volumes;
    this.stagings = stagings;
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    Path path = path(request.getVolumePath());
    if (volumes.backing(volume).isDevice() && stagings.of(volume).contains(path)) {
      // Nothing is to be seen there, but the volume is staged: its size is all that is known of it.
      return answer(VolumeUsage.ofBlock(volume.getSizeBytes()));
    }
    if (!volumes.isShownAt(volume, path)) {
      throw CsiException.notFound("the volume is not mounted at volume_path");
    }
    return answer(volumes.backing(volume).usage(path));
  }

  private static NodeGetVolumeStatsResponse answer(VolumeUsage usage) {
    return NodeGetVolumeStatsResponse.newBuilder().addAllUsage(usage.toMessages()).build();
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
