package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** CreateVolume and DeleteVolume. */
final class VolumeCalls {
  private static final String CONTEXT_KEY = "fake.csijava.dev/backend";

  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  VolumeCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  CreateVolumeResponse create(CreateVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.CREATE_DELETE_VOLUME), "CreateVolume");
    services.fields.check(request);
    check(request);
    CreateVolumeRequest recorded = request.toBuilder().clearSecrets().build();
    Optional<FakeVolume> existing = state.volumeNamed(request.getName());
    if (existing.isPresent()) {
      sameAgain(existing.get(), recorded);
      return CreateVolumeResponse.newBuilder().setVolume(existing.get().message()).build();
    }
    Source source = Source.of(request.getVolumeContentSource(), state);
    long size = services.ranges.choose(request.getCapacityRange(), source.size());
    FakeVolume volume =
        new FakeVolume(
            state.newId("vol"),
            recorded,
            Map.of(CONTEXT_KEY, "memory"),
            place(request, source, size),
            source.blocks(),
            size);
    if (settings.workload && source.size() == 0) {
      Workload.begin(volume, state);
    }
    state.volumes.put(volume.id, volume);
    return CreateVolumeResponse.newBuilder().setVolume(volume.message()).build();
  }

  private void check(CreateVolumeRequest request) {
    Fields.name(request.getName());
    Fields.required(request.getVolumeCapabilitiesCount() > 0, "volume_capabilities");
    request.getVolumeCapabilitiesList().forEach(Capabilities::wellFormed);
    for (VolumeCapability capability : request.getVolumeCapabilitiesList()) {
      services
          .capabilities
          .unsupported(capability, false)
          .ifPresent(
              reason -> {
                throw Failure.invalid(reason);
              });
    }
    if (request.hasCapacityRange()) {
      Ranges.wellFormed(request.getCapacityRange());
    }
    Parameters.check(settings, request.getParametersMap());
    if (request.getMutableParamsCount() > 0 && !settings.has(RPC.Type.MODIFY_VOLUME)) {
      throw Failure.invalid("mutable_parameters need the capability MODIFY_VOLUME");
    }
    Parameters.checkMutable(settings, request.getMutableParamsMap());
    if (request.hasAccessibilityRequirements()) {
      if (!settings.withTopology()) {
        throw Failure.invalid("accessibility_requirements need VOLUME_ACCESSIBILITY_CONSTRAINTS");
      }
      Placement.wellFormed(request.getAccessibilityRequirements());
    }
    if (request.hasVolumeContentSource()) {
      Source.wellFormed(request.getVolumeContentSource(), settings);
    }
  }

  /** ALREADY_EXISTS with what differs, unless the request asks for what is there. */
  private static void sameAgain(FakeVolume volume, CreateVolumeRequest again) {
    CreateVolumeRequest made = volume.request;
    differs(
        !Ranges.fits(again.getCapacityRange(), volume.capacity), "does not fit the capacity range");
    differs(
        !set(made.getVolumeCapabilitiesList()).equals(set(again.getVolumeCapabilitiesList())),
        "was made for other volume capabilities");
    differs(
        !made.getParametersMap().equals(again.getParametersMap()),
        "was made with other parameters");
    differs(
        !made.getMutableParamsMap().equals(again.getMutableParamsMap()),
        "was made with other mutable parameters");
    differs(
        !made.getVolumeContentSource().equals(again.getVolumeContentSource()),
        "was made from another source");
    differs(
        !Placement.meets(volume.topology, again.getAccessibilityRequirements()),
        "can't be reached from there");
  }

  private static void differs(boolean differs, String how) {
    if (differs) {
      throw Failure.exists("a volume of that name exists and " + how);
    }
  }

  private static <T> Set<T> set(List<T> list) {
    return new HashSet<>(list);
  }

  private List<Topology> place(CreateVolumeRequest request, Source source, long size) {
    if (settings.withTopology()) {
      return services.placement.choose(
          request.getAccessibilityRequirements(),
          place -> source.reaches(place) && room(place) >= size);
    }
    if (settings.capacity - state.promised(any -> true) < size) {
      throw Failure.exhausted("there is no room for " + size + " bytes");
    }
    return List.of();
  }

  private long room(Topology place) {
    return settings.capacity - state.promised(place::equals);
  }

  DeleteVolumeResponse delete(DeleteVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.CREATE_DELETE_VOLUME), "DeleteVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    FakeVolume volume = state.volumes.get(request.getVolumeId());
    if (volume != null) {
      if (volume.inUse()) {
        throw Failure.precondition("volume " + volume.id + " is in use");
      }
      if (settings.volumesPinned
          && state.snapshots.values().stream().anyMatch(s -> s.sourceVolume().equals(volume.id))) {
        throw Failure.precondition("volume " + volume.id + " has snapshots");
      }
      state.volumes.remove(volume.id);
    }
    return DeleteVolumeResponse.getDefaultInstance();
  }
}
