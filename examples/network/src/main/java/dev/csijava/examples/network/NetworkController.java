package dev.csijava.examples.network;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The controller's side: a directory on the export for each volume. Nothing is mounted here. */
final class NetworkController implements Volumes {
  private final NetworkSettings settings;
  private final ExportStore store;
  private final IdempotentCreate<CreateVolumeRequest, NetworkVolume> creates;

  NetworkController(NetworkSettings settings, ExportStore store) {
    this.settings = settings;
    this.store = store;
    this.creates =
        IdempotentCreate.ofVolumes(
            store, NetworkVolume::sizeBytes, (volume, requirement) -> true); // all nodes reach it
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    refusal(request.getVolumeCapabilitiesList())
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument(why);
            });
    refuseOwnKeys("parameters", request.getParametersMap());
    NetworkVolume volume = creates.findOrCreate(request, store::create);
    return CreateVolumeResponse.newBuilder().setVolume(volume.message()).build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    store.find(request.getVolumeId()).ifPresent(store::delete);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    if (store.find(request.getVolumeId()).isEmpty()) {
      throw CsiException.notFound("there is no volume " + request.getVolumeId());
    }
    Optional<String> refusal = refusal(request.getVolumeCapabilitiesList());
    if (refusal.isPresent()
        || hasOwnKeys(request.getVolumeContextMap())
        || hasOwnKeys(request.getParametersMap())) {
      return CapabilityValidation.notConfirmed(
          refusal.orElse("the volume has no context and no parameters"));
    }
    return CapabilityValidation.confirmed(request);
  }

  private Optional<String> refusal(List<VolumeCapability> capabilities) {
    return capabilities.stream()
        .flatMap(capability -> settings.refusal(capability).stream())
        .findFirst();
  }

  /** A driver that takes what it does not know gives something else than was asked for. */
  static void refuseOwnKeys(String field, Map<String, String> entries) {
    if (hasOwnKeys(entries)) {
      throw CsiException.invalidArgument("the volumes of this driver have no " + field);
    }
  }

  private static boolean hasOwnKeys(Map<String, String> entries) {
    return !KubernetesKeys.withoutReserved(entries).isEmpty();
  }
}
