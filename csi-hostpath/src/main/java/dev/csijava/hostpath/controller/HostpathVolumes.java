package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Backing;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.DataMaker;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes, judges and deletes directory volumes, empty or from a snapshot or another volume. */
public final class HostpathVolumes implements Volumes {
  private final StateDirectory state;
  private final DirectoryBacking backing;
  private final CapacityPlanner planner;
  private final NodeTopology topology;
  private final MountView mounts;
  private final IdempotentCreate<CreateVolumeRequest, Record> creates;

  /**
   * @param planner the sizes that are granted
   */
  public HostpathVolumes(
      StateDirectory state,
      DirectoryBacking backing,
      CapacityPlanner planner,
      NodeTopology topology,
      MountView mounts) {
    this.state = state;
    this.backing = backing;
    this.planner = planner;
    this.topology = topology;
    this.mounts = mounts;
    this.creates =
        IdempotentCreate.ofVolumes(
            name ->
                state
                    .volumes()
                    .byName(name)
                    .map(record -> new Made<>(record.getVolume().getRequest(), record)),
            Record::getSizeBytes,
            (volume, requirement) -> topology.satisfies(requirement));
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    requireSense(request);
    Record volume = creates.findOrCreate(request, this::make);
    return CreateVolumeResponse.newBuilder()
        .setVolume(VolumeMessages.volume(volume, topology))
        .build();
  }

  private void requireSense(CreateVolumeRequest request) {
    AccessRules.requireForCreate(request.getVolumeCapabilitiesList());
    if (request.getMutableParamsCount() > 0) {
      throw CsiException.invalidArgument(
          "mutable_parameters: this driver's volumes have no attributes that can be changed");
    }
    VolumeParameters.require(request.getParametersMap());
    ContentSource.requireWellFormed(request);
    if (request.hasAccessibilityRequirements()) {
      // Here for its shape alone: whether this node will do is asked for new volumes only.
      boolean ignored = topology.satisfies(request.getAccessibilityRequirements());
    }
  }

  private Record make(CreateVolumeRequest request) {
    topology.require(
        request.hasAccessibilityRequirements(), request.getAccessibilityRequirements());
    CapacityRange range = request.hasCapacityRange() ? request.getCapacityRange() : null;
    Optional<ContentSource> source = ContentSource.find(request, state);
    long size =
        source
            .map(from -> planner.planCopy(from.record().getSizeBytes(), range))
            .orElseGet(() -> planner.plan(range));
    DataMaker maker =
        source
            .<DataMaker>map(from -> data -> backing.copy(from.data(), data))
            .orElse(backing::makeEmpty);
    Record draft =
        Record.newBuilder()
            .setName(request.getName())
            .setSizeBytes(size)
            .setBacking(Backing.DIRECTORY)
            .setVolume(
                VolumeDetails.newBuilder()
                    .putAllContext(request.getParametersMap())
                    .setRequest(request))
            .build();
    return state.volumes().create(draft, maker);
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    state.volumes().byId(request.getVolumeId()).ifPresent(this::delete);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  private void delete(Record volume) {
    List<Mount> uses = mounts.showing(state.volumes().folder(volume));
    if (!uses.isEmpty()) {
      throw CsiException.failedPrecondition(
          "the volume is in use: it is mounted at " + uses.getFirst().target());
    }
    state.volumes().delete(volume);
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    if (request.getVolumeCapabilitiesCount() == 0) {
      throw CsiException.invalidArgument("volume_capabilities is empty");
    }
    Record volume =
        state
            .volumes()
            .byId(request.getVolumeId())
            .orElseThrow(() -> CsiException.notFound("there is no such volume"));
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    String refusal = refusal(request);
    ValidateVolumeCapabilitiesResponse.Builder response =
        ValidateVolumeCapabilitiesResponse.newBuilder();
    if (refusal != null) {
      return response.setMessage(refusal).build();
    }
    // Only what was judged, so that a field which this driver does not know is not vouched for.
    return response
        .setConfirmed(
            ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                .putAllVolumeContext(request.getVolumeContextMap())
                .putAllParameters(request.getParametersMap())
                .addAllVolumeCapabilities(
                    request.getVolumeCapabilitiesList().stream().map(KnownFields::only).toList()))
        .build();
  }

  private static @Nullable String refusal(ValidateVolumeCapabilitiesRequest request) {
    for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
      Optional<String> refusal = AccessRules.refusal(capability);
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    if (request.getMutableParamsCount() > 0) {
      return "mutable_parameters: volumes have no attributes that can be changed";
    }
    return VolumeParameters.refusal(request.getParametersMap()).orElse(null);
  }
}
