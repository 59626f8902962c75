package dev.csijava.hostpath.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.health.ControllerHealth;
import dev.csijava.hostpath.backing.BackedVolume;
import dev.csijava.hostpath.backing.Backings;
import dev.csijava.hostpath.backing.VolumeFault;
import dev.csijava.hostpath.request.Pages;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.VolumeHealth;
import java.util.List;

/** Health of volumes by their data in the state directory. */
public final class HostpathHealth implements ControllerHealth {
  private static final Pages PAGES = new Pages("health");

  private final ObjectStore volumes;
  private final Backings backings;

  /**
   * @param volumes the committed volumes
   */
  public HostpathHealth(ObjectStore volumes, Backings backings) {
    this.volumes = volumes;
    this.backings = backings;
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request, CallContext call) {
    Record volume =
        volumes
            .byId(request.getVolumeId())
            .orElseThrow(() -> CsiException.notFound("there is no such volume"));
    return ControllerGetVolumeHealthResponse.newBuilder().setVolumeHealth(health(volume)).build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    var page =
        PAGES.cut(
            volumes.after(start).filter(volume -> !faults(volume).isEmpty()),
            request.getMaxEntries(),
            this::health);
    return ControllerListVolumeHealthResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  private VolumeHealth health(Record volume) {
    return message(volume.getId(), faults(volume));
  }

  private List<VolumeFault> faults(Record volume) {
    return backings.of(volume).faults(new BackedVolume(volume, volumes.data(volume)));
  }

  static VolumeHealth message(String volumeId, List<VolumeFault> faults) {
    return VolumeHealth.newBuilder()
        .setVolumeId(volumeId)
        .addAllHealthStatuses(faults.stream().map(VolumeFault::toMessage).toList())
        .build();
  }
}
