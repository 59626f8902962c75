package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.ControllerExpansion;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeGrowth;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import java.util.Optional;

/** Makes volumes larger, also while pods use them. */
public final class HostpathExpansion implements ControllerExpansion {
  private final ObjectStore volumes;
  private final Backings backings;
  private final VolumeGrowth growth;
  private final boolean onNode;

  /**
   * @param onNode whether this driver has node expansion; without it images and block volumes show
   *     their new size when they are staged next (B109)
   */
  public HostpathExpansion(
      ObjectStore volumes, Backings backings, VolumeGrowth growth, boolean onNode) {
    this.volumes = volumes;
    this.backings = backings;
    this.growth = growth;
    this.onNode = onNode;
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request, CallContext call) {
    Record volume = volumes.require(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      refusal(volume, request)
          .ifPresent(
              why -> {
                throw CsiException.invalidArgument("volume_capability: " + why);
              });
    }
    Record grown =
        growth.grow(volume, request.hasCapacityRange() ? request.getCapacityRange() : null);
    return ControllerExpandVolumeResponse.newBuilder()
        .setCapacityBytes(grown.getSizeBytes())
        .setNodeExpansionRequired(onNode && backings.of(grown).growsOnNode())
        .build();
  }

  private static Optional<String> refusal(Record volume, ControllerExpandVolumeRequest request) {
    return AccessRules.refusal(request.getVolumeCapability())
        .or(() -> BackingChoice.refusal(volume, request.getVolumeCapability()));
  }
}
