package dev.csijava.examples.existing;

import dev.csijava.core.CallContext;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.VolumeListing;
import dev.csijava.core.health.ControllerHealth;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.ListVolumesResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import java.util.List;
import java.util.Map;

/** The controller's side of one node: volumes are listed, and neither created nor deleted. */
final class ExistingController implements CapabilityValidation, VolumeListing, ControllerHealth {
  private final Discovery disks;
  private final Sizes sizes;
  private final Topology here;

  ExistingController(Discovery disks, Sizes sizes, Map<String, String> topology) {
    this.disks = disks;
    this.sizes = sizes;
    this.here = Topology.newBuilder().putAllSegments(topology).build();
  }

  @Override
  public ListVolumesResponse listVolumes(ListVolumesRequest request, CallContext call) {
    Page page = Page.of(disks.all(), request.getStartingToken(), request.getMaxEntries());
    ListVolumesResponse.Builder answer = ListVolumesResponse.newBuilder();
    for (Disk disk : page.disks()) {
      answer.addEntriesBuilder().setVolume(volume(disk));
    }
    return answer.setNextToken(page.nextToken()).build();
  }

  private Volume volume(Disk disk) {
    return Volume.newBuilder()
        .setVolumeId(disk.id())
        .setCapacityBytes(sizes.of(disk).orElse(0))
        .addAccessibleTopology(here)
        .build();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    Disk disk = disks.require(request.getVolumeId());
    ExistingNode.requireNoContext(request.getVolumeContextMap());
    if (!KubernetesKeys.withoutReserved(request.getParametersMap()).isEmpty()) {
      return CapabilityValidation.notConfirmed("volumes of this driver have no parameters");
    }
    return request.getVolumeCapabilitiesList().stream()
        .flatMap(capability -> disk.refusal(capability).stream())
        .findFirst()
        .map(CapabilityValidation::notConfirmed)
        .orElseGet(() -> CapabilityValidation.confirmed(request));
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request, CallContext call) {
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(disks.require(request.getVolumeId()).health())
        .build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call) {
    List<Disk> ill = disks.all().stream().filter(disk -> disk.fault().isPresent()).toList();
    Page page = Page.of(ill, request.getStartingToken(), request.getMaxEntries());
    ControllerListVolumeHealthResponse.Builder answer =
        ControllerListVolumeHealthResponse.newBuilder();
    page.disks().forEach(disk -> answer.addEntries(disk.health()));
    return answer.setNextToken(page.nextToken()).build();
  }

  /** A part of a list that is ordered by id; the token is the last id before it. */
  private record Page(List<Disk> disks, String nextToken) {
    static Page of(List<Disk> all, String token, int maxEntries) {
      List<Disk> rest = all.stream().filter(disk -> disk.id().compareTo(token) > 0).toList();
      if (maxEntries == 0 || rest.size() <= maxEntries) {
        return new Page(rest, "");
      }
      List<Disk> page = rest.subList(0, maxEntries);
      return new Page(page, page.get(maxEntries - 1).id());
    }
  }
}
