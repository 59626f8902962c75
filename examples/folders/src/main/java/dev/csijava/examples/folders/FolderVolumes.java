package dev.csijava.examples.folders;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;

/** The controller's side: folders come and go. */
// region volumes
final class FolderVolumes implements Volumes {
  private final FolderStore store;
  private final IdempotentCreate<CreateVolumeRequest, Folder> creates;

  FolderVolumes(FolderStore store) {
    this.store = store;
    this.creates = IdempotentCreate.ofVolumes(store, Folder::sizeBytes, (folder, topology) -> true);
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    if (!supported(request.getVolumeCapabilitiesList())) {
      throw CsiException.invalidArgument("folders can't be had as block devices");
    }
    Folder folder = creates.findOrCreate(request, store::create);
    return CreateVolumeResponse.newBuilder().setVolume(folder.toVolume()).build();
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    store.find(request.getVolumeId()).ifPresent(this::delete);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  private void delete(Folder folder) {
    if (folder.isMounted()) {
      throw CsiException.failedPrecondition("the volume is published; unpublish it first");
    }
    store.delete(folder);
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    if (store.find(request.getVolumeId()).isEmpty()) {
      throw CsiException.notFound("there is no volume " + request.getVolumeId());
    }
    return supported(request.getVolumeCapabilitiesList())
        ? CapabilityValidation.confirmed(request)
        : CapabilityValidation.notConfirmed("folders can't be had as block devices");
  }

  private static boolean supported(List<VolumeCapability> capabilities) {
    return capabilities.stream().allMatch(VolumeCapability::hasMount);
  }
}
// endregion
