package dev.csijava.hostpath.controller;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.operation.CreateRecords.Made;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.VolumeData;
import dev.csijava.hostpath.backing.VolumeData.Plan;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.capacity.Promises.Reservation;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.KnownFields;
import dev.csijava.hostpath.request.NodeTopology;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.StateDirectory;
import dev.csijava.spec.v1.CapacityRange;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse.Confirmed;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Makes, judges and deletes volumes, empty or from a snapshot or another volume. */
public final class HostpathVolumes implements Volumes {
  private final StateDirectory state;
  private final VolumeData data;
  private final VolumeUses uses;
  private final VolumePolicy policy;
  private final NodeTopology topology;
  private final VolumeMessages messages;
  private final IdempotentCreate<CreateVolumeRequest, Record> creates;
  private final TakenOver takenOver;

  /**
   * @param data plans what is made
   * @param uses says who uses a volume
   * @param policy what may be made and deleted
   */
  public HostpathVolumes(
      StateDirectory state,
      VolumeData data,
      VolumeUses uses,
      VolumePolicy policy,
      NodeTopology topology) {
    this.state = state;
    this.data = data;
    this.uses = uses;
    this.policy = policy;
    this.messages = new VolumeMessages(topology, policy.attached());
    this.topology = topology;
    this.takenOver = new TakenOver(state);
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
    Record volume =
        takenOver
            .volume(request, choice(request).backing())
            .orElseGet(() -> creates.findOrCreate(request, this::make));
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
    // For its refusals; they come before anything is looked up.
    choice(request);
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
    BackingChoice choice = choice(request);
    Plan plan = data.volume(choice, ContentSource.find(request, state).orElse(null), range);
    Record draft =
        plan.draft().toBuilder()
            .setName(request.getName())
            .setVolume(
                VolumeDetails.newBuilder()
                    .putAllContext(request.getParametersMap())
                    .putAllAttributes(KubernetesKeys.withoutReserved(request.getMutableParamsMap()))
                    .setRequest(request))
            .build();
    String kind = VolumeParameters.kind(request.getParametersMap());
    try (Reservation room = policy.promises().reserve(draft, kind, draft.getSizeBytes())) {
      Record.Builder counted = draft.toBuilder();
      counted.getVolumeBuilder().setCapacityKind(room.kind());
      return state.volumes().create(counted.build(), plan.maker(draft));
    }
  }

  private static BackingChoice choice(CreateVolumeRequest request) {
    return BackingChoice.of(request.getParametersMap(), request.getVolumeCapabilitiesList());
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    state
        .volumes()
        .byId(request.getVolumeId())
        .ifPresentOrElse(this::delete, () -> state.requireNoRemains(request.getVolumeId()));
    return DeleteVolumeResponse.getDefaultInstance();
  }

  private void delete(Record volume) {
    policy.attached().requireDetached(volume);
    uses.requireNone(volume);
    // A crash may have left it.
    uses.release(volume);
    state.volumes().delete(volume);
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    if (request.getVolumeCapabilitiesCount() == 0) {
      throw CsiException.invalidArgument("volume_capabilities is empty");
    }
    Record volume = state.volumes().require(request.getVolumeId());
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    String refusal = refusal(volume, request);
    ValidateVolumeCapabilitiesResponse.Builder response =
        ValidateVolumeCapabilitiesResponse.newBuilder();
    if (refusal != null) {
      return response.setMessage(refusal).build();
    }
    // Only what was judged, so that a field which this driver does not know is not vouched for.
    Confirmed.Builder confirmed =
        Confirmed.newBuilder()
            .putAllVolumeContext(request.getVolumeContextMap())
            .addAllVolumeCapabilities(
                request.getVolumeCapabilitiesList().stream().map(KnownFields::only).toList());
    if (volume.getVolume().hasRequest()) {
      confirmed.putAllParameters(request.getParametersMap());
    }
    return response.setConfirmed(confirmed).build();
  }

  private @Nullable String refusal(Record volume, ValidateVolumeCapabilitiesRequest request) {
    for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
      Optional<String> refusal =
          AccessRules.refusal(capability).or(() -> BackingChoice.refusal(volume, capability));
      if (refusal.isPresent()) {
        return refusal.get();
      }
    }
    return policy
        .modify()
        .refusal(request.getMutableParamsMap())
        .or(() -> VolumeParameters.refusal(volume, request.getParametersMap()))
        .orElse(null);
  }
}
