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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

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
    Record volume = volumes.require(request.getVolumeId());
    List<VolumeFault> faults = faults(volume);
    if (!faults.isEmpty() && !volumes.isKept(volume.getId())) {
      throw CsiException.notFound("there is no such volume any more");
    }
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(message(volume.getId(), faults))
        .build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    Map<String, List<VolumeFault>> faults = new HashMap<>();
    var page =
        PAGES.cut(
            volumes.after(start).filter(volume -> isIll(volume, faults)),
            request.getMaxEntries(),
            volume -> message(volume.getId(), faults.getOrDefault(volume.getId(), List.of())));
    return ControllerListVolumeHealthResponse.newBuilder()
        .addAllEntries(page.entries())
        .setNextToken(page.nextToken())
        .build();
  }

  /** Looks once at each volume, and notes what is wrong with it. */
  private boolean isIll(Record volume, Map<String, List<VolumeFault>> noted) {
    List<VolumeFault> found = faults(volume);
    if (found.isEmpty() || !volumes.isKept(volume.getId())) {
      return false;
    }
    noted.put(volume.getId(), found);
    return true;
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
