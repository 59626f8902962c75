package dev.csijava.examples.memory;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.ControllerExpansion;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** The controller's side: volumes come, grow and go. No memory is taken before one is staged. */
final class MemoryController implements Volumes, ControllerExpansion {
  private final VolumeStore store;
  private final CapacityPlanner planner;
  private final Placement placement;
  private final IdempotentCreate<CreateVolumeRequest, MemoryVolume> creates;

  MemoryController(VolumeStore store, CapacityPlanner planner, Placement placement) {
    this.store = store;
    this.planner = planner;
    this.placement = placement;
    this.creates =
        IdempotentCreate.ofVolumes(
            store,
            MemoryVolume::sizeBytes,
            (volume, requirement) -> placement.satisfies(requirement));
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    requireServable(request.getVolumeCapabilitiesList());
    refuseOwnKeys("parameters", request.getParametersMap());
    placement.require(request);
    MemoryVolume volume = creates.findOrCreate(request, this::create);
    return CreateVolumeResponse.newBuilder().setVolume(volume.message()).build();
  }

  private MemoryVolume create(CreateVolumeRequest request) {
    return store.save(
        new MemoryVolume(
            request,
            Volume.newBuilder()
                .setVolumeId(UUID.randomUUID().toString())
                .setCapacityBytes(planner.planNew(request))
                .addAccessibleTopology(placement.topology())
                .build()));
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    store
        .find(request.getVolumeId())
        .ifPresent(
            volume -> {
              if (!VolumeMounts.read(volume.id()).all().isEmpty()) {
                throw CsiException.failedPrecondition("the volume is in use on this node");
              }
              store.delete(volume);
            });
    return DeleteVolumeResponse.getDefaultInstance();
  }

  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request, CallContext call) {
    MemoryVolume volume = store.require(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      requireServable(List.of(request.getVolumeCapability()));
    }
    long size = planner.planGrowth(volume.sizeBytes(), request.getCapacityRange());
    if (size > volume.sizeBytes()) {
      store.save(volume.withSize(size));
    }
    return ControllerExpandVolumeResponse.newBuilder()
        .setCapacityBytes(size)
        .setNodeExpansionRequired(true)
        .build();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    store.require(request.getVolumeId());
    Optional<String> refusal =
        request.getVolumeCapabilitiesList().stream()
            .flatMap(capability -> MemoryCapability.refusal(capability).stream())
            .findFirst();
    boolean strange =
        !KubernetesKeys.withoutReserved(request.getVolumeContextMap()).isEmpty()
            || !KubernetesKeys.withoutReserved(request.getParametersMap()).isEmpty();
    return refusal.isPresent() || strange
        ? CapabilityValidation.notConfirmed(
            refusal.orElse("memory volumes have no context and no parameters"))
        : CapabilityValidation.confirmed(request);
  }

  private static void requireServable(List<VolumeCapability> capabilities) {
    capabilities.forEach(each -> MemoryCapability.of(each, CsiException::invalidArgument));
  }

  /** A driver that takes what it does not know gives something else than was asked for. */
  static void refuseOwnKeys(String field, Map<String, String> entries) {
    if (!KubernetesKeys.withoutReserved(entries).isEmpty()) {
      throw CsiException.invalidArgument("memory volumes have no " + field);
    }
  }
}
