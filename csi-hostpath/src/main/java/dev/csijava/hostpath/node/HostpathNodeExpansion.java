package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.NodeExpansion;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.VolumeGrowth;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import java.nio.file.Path;

/**
 * Makes a larger size visible on this node while pods go on. A size that the controller has not
 * granted yet is granted here in the same way.
 */
public final class HostpathNodeExpansion implements NodeExpansion {
  private final NodeVolumes volumes;
  private final Stagings stagings;
  private final VolumeGrowth growth;
  private final long largest;

  /**
   * @param growth grants sizes
   */
  public HostpathNodeExpansion(
      NodeVolumes volumes, Stagings stagings, VolumeGrowth growth, long largest) {
    this.volumes = volumes;
    this.stagings = stagings;
    this.growth = growth;
    this.largest = largest;
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(
      NodeExpandVolumeRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    Path path = path(request.getVolumePath());
    if (!isSeenAt(volume, path)) {
      throw CsiException.notFound("the volume is not at volume_path");
    }
    if (request.hasVolumeCapability()) {
      AccessRules.refusal(request.getVolumeCapability())
          .or(() -> BackingChoice.refusal(volume, request.getVolumeCapability()))
          .ifPresent(
              why -> {
                throw CsiException.invalidArgument("volume_capability: " + why);
              });
    }
    if (request.getCapacityRange().getRequiredBytes() > largest) {
      throw CsiException.outOfRange("this node expands volumes to at most " + largest + " bytes");
    }
    Record grown =
        growth.grow(volume, request.hasCapacityRange() ? request.getCapacityRange() : null);
    volumes.backing(grown).growOnNode(volumes.backed(grown), path);
    return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(grown.getSizeBytes()).build();
  }

  /** A raw block volume is not seen at its staging path, but it is there (B106). */
  private boolean isSeenAt(Record volume, Path path) {
    return volumes.isShownAt(volume, path)
        || (volumes.backing(volume).isDevice() && stagings.of(volume).contains(path));
  }

  // csi-sanity sends any path for a volume that is not there, and wants NOT_FOUND.
  private static Path path(String value) {
    try {
      return TargetPath.of("volume_path", value).path();
    } catch (CsiException e) {
      throw CsiException.notFound("the volume is not at volume_path: " + e.getMessage());
    }
  }
}
