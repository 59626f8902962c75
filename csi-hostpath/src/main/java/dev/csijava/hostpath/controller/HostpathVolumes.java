package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.hostpath.capacity.Promises.Reservation;
import dev.csijava.hostpath.mounts.MountView;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.KnownFields;
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
  private final VolumePolicy policy;
  private final NodeTopology topology;
  private final MountView mounts;
  private final VolumeMessages messages;
  private final IdempotentCreate<CreateVolumeRequest, Record> creates;

  /**
   * @param policy what may be made and deleted
   */
  public HostpathVolumes(
      StateDirectory state,
      DirectoryBacking backing,
      VolumePolicy policy,
      NodeTopology topology,
      MountView mounts) {
    this.state = state;
    this.backing = backing;
    this.policy = policy;
    this.messages = new VolumeMessages(topology, policy.attached());
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
    return CreateVolumeResponse.newBuilder().setVolume(messages.volume(volume)).build();
  }

  private void requireSense(CreateVolumeRequest request) {
    AccessRules.requireForCreate(request.getVolumeCapabilitiesList());
    policy
        .modify()
        .refusal(request.getMutableParamsMap())
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument(why);
            });
    VolumeParameters.require(request.getParametersMap(), policy.promises());
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
            .map(from -> policy.planner().planCopy(from.record().getSizeBytes(), range))
            .orElseGet(() -> policy.planner().plan(range));
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
                    .putAllAttributes(KubernetesKeys.withoutReserved(request.getMutableParamsMap()))
                    .setRequest(request))
            .build();
    String kind = VolumeParameters.kind(request.getParametersMap());
    try (Reservation room = policy.promises().reserve(draft, kind, size)) {
      Record.Builder counted = draft.toBuilder();
      counted.getVolumeBuilder().setCapacityKind(room.kind());
      return state.volumes().create(counted.build(), maker);
    }
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    state.volumes().byId(request.getVolumeId()).ifPresent(this::delete);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  private void delete(Record volume) {
    policy.attached().requireDetached(volume);
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

  private @Nullable String refusal(ValidateVolumeCapabilitiesRequest request) {
    for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
      Optional<String> refusal = AccessRules.refusal(capability);
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    return policy
        .modify()
        .refusal(request.getMutableParamsMap())
        .or(() -> VolumeParameters.refusal(request.getParametersMap(), policy.promises()))
        .orElse(null);
  }
}
