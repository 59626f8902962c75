package dev.csijava.hostpath.controller;

import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.CreateVolumeRequest;

/**
 * Whether the volume of a name is what a request asks for. A request that the volume satisfies is a
 * repeat, even if it is not the same byte for byte; its secrets and what Kubernetes adds do not
 * count.
 */
final class VolumeMatch {
  private VolumeMatch() {}

  /**
   * @throws CsiException ALREADY_EXISTS, naming what differs; INVALID_ARGUMENT for a capacity_range
   *     that makes no sense
   */
  static void require(Record volume, CreateVolumeRequest request, NodeTopology topology) {
    CreateVolumeRequest first = volume.getVolume().getRequest();
    if (!CapacityPlanner.fits(
        volume.getSizeBytes(), request.hasCapacityRange() ? request.getCapacityRange() : null)) {
      throw differs("capacity_range", "it has " + volume.getSizeBytes() + " bytes");
    }
    if (!first.getVolumeContentSource().equals(request.getVolumeContentSource())) {
      throw differs("volume_content_source", "it was made from another source");
    }
    if (!KubernetesKeys.withoutReserved(first.getParametersMap())
        .equals(KubernetesKeys.withoutReserved(request.getParametersMap()))) {
      throw differs("parameters", "it was made with others");
    }
    if (request.hasAccessibilityRequirements()
        && !topology.satisfies(request.getAccessibilityRequirements())) {
      throw differs("accessibility_requirements", "it is on another node");
    }
  }

  private static CsiException differs(String field, String why) {
    return CsiException.alreadyExists(
        "there is a volume of this name, and it does not fit " + field + ": " + why);
  }
}
