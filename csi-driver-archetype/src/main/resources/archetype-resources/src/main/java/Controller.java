package ${package};

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

/** The controller's side: volumes come and go. */
final class Controller implements Volumes {
  private final VolumeStore store;
  private final IdempotentCreate<CreateVolumeRequest, StoredVolume> creates;

  Controller(VolumeStore store) {
    this.store = store;
    this.creates =
        IdempotentCreate.ofVolumes(store, StoredVolume::sizeBytes, (volume, topology) -> true);
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    if (!request.getVolumeCapabilitiesList().stream().allMatch(StoredVolume::serves)) {
      throw CsiException.invalidArgument("a volume is a directory of one node");
    }
    StoredVolume volume = creates.findOrCreate(request, store::create);
    return CreateVolumeResponse.newBuilder().setVolume(volume.toVolume()).build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    store.find(request.getVolumeId()).ifPresent(this::delete);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  private void delete(StoredVolume volume) {
    if (!Publications.targets(volume).isEmpty()) {
      throw CsiException.failedPrecondition("the volume is published");
    }
    store.delete(volume);
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    if (store.find(request.getVolumeId()).isEmpty()) {
      throw CsiException.notFound("there is no such volume");
    }
    if (!KubernetesKeys.withoutReserved(request.getVolumeContextMap()).isEmpty()) {
      return CapabilityValidation.notConfirmed("volume_context is not the one of the volume");
    }
    if (!request.getVolumeCapabilitiesList().stream().allMatch(StoredVolume::serves)) {
      return CapabilityValidation.notConfirmed("a volume is a directory of one node");
    }
    return CapabilityValidation.confirmed(request);
  }
}
