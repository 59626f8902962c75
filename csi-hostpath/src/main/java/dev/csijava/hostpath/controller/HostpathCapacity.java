package dev.csijava.hostpath.controller;

import com.google.protobuf.Int64Value;
import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.controller.Capacity;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.VolumeSizes;
import dev.csijava.hostpath.capacity.Promises;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import org.jspecify.annotations.Nullable;

/**
 * Room for new volumes: what is left of the configured capacity of their kind or, where none is
 * configured, what the file system of the state directory has; but never more than the largest
 * volume that would be made.
 */
public final class HostpathCapacity implements Capacity {
  private final FreeSpace free;
  private final VolumeSizes sizes;
  private final NodeTopology topology;
  private final Promises promises;

  /**
   * @param free the room on the file system of the state directory
   */
  public HostpathCapacity(
      FreeSpace free, VolumeSizes sizes, NodeTopology topology, Promises promises) {
    this.free = free;
    this.sizes = sizes;
    this.topology = topology;
    this.promises = promises;
  }

  /** Asks a file system for its room. */
  @FunctionalInterface
  public interface FreeSpace {
    /**
     * What an ordinary user may still write, in bytes.
     *
     * @throws CsiException if the file system does not answer
     */
    long bytes();
  }

  @Override
  public GetCapacityResponse getCapacity(GetCapacityRequest request, CallContext call) {
    CapacityPlanner planner = canServe(request) ? planner(request) : null;
    long room = planner == null ? 0 : planner.largestWithin(freeBytes(request));
    GetCapacityResponse.Builder response =
        GetCapacityResponse.newBuilder()
            .setAvailableCapacity(room)
            .setMaximumVolumeSize(Int64Value.of(room));
    if (planner != null) {
      response.setMinimumVolumeSize(Int64Value.of(planner.minimumBytes()));
    }
    return response.build();
  }

  private boolean canServe(GetCapacityRequest request) {
    return (!request.hasAccessibleTopology() || topology.liesIn(request.getAccessibleTopology()))
        && VolumeParameters.refusal(request.getParametersMap(), promises).isEmpty()
        && request.getVolumeCapabilitiesList().stream()
            .allMatch(capability -> AccessRules.refusal(capability).isEmpty());
  }

  /** The sizes of the kind of volume that is asked about; null if there is no such kind. */
  private @Nullable CapacityPlanner planner(GetCapacityRequest request) {
    try {
      return sizes.of(
          BackingChoice.of(request.getParametersMap(), request.getVolumeCapabilitiesList()));
    } catch (CsiException e) {
      return null;
    }
  }

  private long freeBytes(GetCapacityRequest request) {
    if (promises.areCounted()) {
      return promises.free(VolumeParameters.kind(request.getParametersMap()));
    }
    try {
      return free.bytes();
    } catch (CsiException e) {
      // Nothing is wrong with the request, and the next one may find it mended.
      throw CsiException.unavailable(
          "the file system of the state directory does not say how much room it has", e);
    }
  }
}
