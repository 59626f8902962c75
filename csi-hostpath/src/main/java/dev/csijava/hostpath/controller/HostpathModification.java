package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.VolumeModification;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.hostpath.settings.ModifySettings;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;

/**
 * Keeps the attributes of volumes in their records: all that a request names or, if one can't be
 * had, none. A directory has no use for them; they show that what is asked for lasts.
 */
public final class HostpathModification implements VolumeModification {
  private final ObjectStore volumes;
  private final ModifySettings settings;

  /**
   * @param volumes what is changed
   */
  public HostpathModification(ObjectStore volumes, ModifySettings settings) {
    this.volumes = volumes;
    this.settings = settings;
  }

  @Override
  public ControllerModifyVolumeResponse controllerModifyVolume(
      ControllerModifyVolumeRequest request, CallContext call) {
    Record _ = volumes.require(request.getVolumeId());
    settings
        .refusal(request.getMutableParamsMap())
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument(why + "; nothing was changed");
            });
    Record _ =
        volumes.update(
            request.getVolumeId(),
            volume -> {
              Record.Builder changed = volume.toBuilder();
              changed
                  .getVolumeBuilder()
                  .putAllAttributes(KubernetesKeys.withoutReserved(request.getMutableParamsMap()));
              return changed.build();
            });
    return ControllerModifyVolumeResponse.getDefaultInstance();
  }
}
