package dev.csijava.hostpath.health;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.health.ControllerHealth;
import dev.csijava.core.health.NodeHealth;
import dev.csijava.core.health.StorageHealth;
import dev.csijava.hostpath.request.Pages;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthResponse;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.StorageHealthErrorType;
import dev.csijava.spec.v1.VolumeHealth;
import dev.csijava.spec.v1.VolumeHealthErrorType;
import java.util.stream.Stream;

/**
 * Tells what is wrong, to callers of the controller and of the node alike: they are one machine.
 */
public final class HostpathHealth implements ControllerHealth, NodeHealth, StorageHealth {
  private static final Pages PAGES = new Pages("volume health");

  private final ObjectStore volumes;
  private final VolumeFacts facts;

  /**
   * @param facts what the disk says
   */
  public HostpathHealth(ObjectStore volumes, VolumeFacts facts) {
    this.volumes = volumes;
    this.facts = facts;
  }

  @Override
  public ControllerGetVolumeHealthResponse controllerGetVolumeHealth(
      ControllerGetVolumeHealthRequest request, CallContext call) {
    return ControllerGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(health(request.getVolumeId()))
        .build();
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, CallContext call) {
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(health(request.getVolumeId()))
        .build();
  }

  @Override
  public ControllerListVolumeHealthResponse controllerListVolumeHealth(
      ControllerListVolumeHealthRequest request, CallContext call) {
    String start = PAGES.start(request.getStartingToken(), request.getMaxEntries());
    Stream<Record> unwell =
        volumes.after(start).filter(volume -> !facts.ofVolume(volume).isEmpty());
    var page = PAGES.cut(unwell, request.getMaxEntries(), this::health);
    return ControllerListVolumeHealthResponse.newBuilder()
        // What got well since it was picked is well.
        .addAllEntries(page.entries().stream().filter(e -> e.getHealthStatusesCount() > 0).toList())
        .setNextToken(page.nextToken())
        .build();
  }

  @Override
  public NodeGetStorageHealthResponse nodeGetStorageHealth(
      NodeGetStorageHealthRequest request, CallContext call) {
    NodeGetStorageHealthResponse.Builder response = NodeGetStorageHealthResponse.newBuilder();
    for (VolumeFacts.Problem problem : facts.ofStorage()) {
      response
          .addBackendHealthBuilder()
          .setStatus(
              switch (problem.severity()) {
                case DEGRADED -> StorageHealthErrorType.STORAGE_DEGRADED;
                case INACCESSIBLE, DATA_LOSS -> StorageHealthErrorType.STORAGE_UNREACHABLE;
              })
          .setReason(problem.reason())
          .setMessage(problem.message());
    }
    return response.build();
  }

  private VolumeHealth health(String volumeId) {
    return health(
        volumes.byId(volumeId).orElseThrow(() -> CsiException.notFound("there is no such volume")));
  }

  private VolumeHealth health(Record volume) {
    VolumeHealth.Builder health = VolumeHealth.newBuilder().setVolumeId(volume.getId());
    for (VolumeFacts.Problem problem : facts.ofVolume(volume)) {
      health
          .addHealthStatusesBuilder()
          .setStatus(
              switch (problem.severity()) {
                case DEGRADED -> VolumeHealthErrorType.DEGRADED;
                case INACCESSIBLE -> VolumeHealthErrorType.INACCESSIBLE;
                case DATA_LOSS -> VolumeHealthErrorType.DATA_LOSS;
              })
          .setReason(problem.reason())
          .setMessage(problem.message());
    }
    return health.build();
  }
}
