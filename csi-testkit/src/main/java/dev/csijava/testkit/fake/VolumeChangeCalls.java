package dev.csijava.testkit.fake;

import com.google.protobuf.Int64Value;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeResponse;
import dev.csijava.spec.v1.ControllerServiceCapability.RPC;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetCapacityResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse.Confirmed;
import dev.csijava.spec.v1.VolumeCapability;
import java.util.Optional;

/** The RPCs that judge, grow and modify what is there. */
final class VolumeChangeCalls {
  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  VolumeChangeCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request) {
    FakeServices.gate(settings.controllerService(), "ValidateVolumeCapabilities");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getVolumeCapabilitiesCount() > 0, "volume_capabilities");
    request.getVolumeCapabilitiesList().forEach(Capabilities::wellFormed);
    FakeVolume volume = state.volume(request.getVolumeId());
    Contexts.check(volume, request.getVolumeContextMap());
    Optional<String> reason =
        request.getVolumeCapabilitiesList().stream()
            .flatMap(one -> services.capabilities.unsupported(volume, one, false).stream())
            .findFirst();
    if (reason.isEmpty()
        && request.getParametersCount() > 0
        && !request.getParametersMap().equals(volume.request.getParametersMap())) {
      reason = Optional.of("the volume was made with other parameters");
    }
    if (reason.isEmpty()
        && !volume
            .mutableParameters
            .entrySet()
            .containsAll(request.getMutableParamsMap().entrySet())) {
      reason = Optional.of("the volume has other mutable parameters");
    }
    if (reason.isPresent()) {
      return ValidateVolumeCapabilitiesResponse.newBuilder().setMessage(reason.get()).build();
    }
    Confirmed.Builder confirmed =
        Confirmed.newBuilder()
            .putAllVolumeContext(request.getVolumeContextMap())
            .putAllParameters(request.getParametersMap())
            .putAllMutableParams(request.getMutableParamsMap());
    request.getVolumeCapabilitiesList().forEach(one -> confirmed.addVolumeCapabilities(known(one)));
    return ValidateVolumeCapabilitiesResponse.newBuilder().setConfirmed(confirmed).build();
  }

  /** Only what was judged: a field of a newer version is not vouched for. */
  private static VolumeCapability known(VolumeCapability capability) {
    VolumeCapability.Builder known =
        VolumeCapability.newBuilder()
            .setAccessMode(
                VolumeCapability.AccessMode.newBuilder()
                    .setMode(capability.getAccessMode().getMode()));
    if (capability.hasBlock()) {
      return known.setBlock(VolumeCapability.BlockVolume.getDefaultInstance()).build();
    }
    return known
        .setMount(
            VolumeCapability.MountVolume.newBuilder()
                .setFsType(capability.getMount().getFsType())
                .addAllMountFlags(capability.getMount().getMountFlagsList())
                .setVolumeMountGroup(capability.getMount().getVolumeMountGroup()))
        .build();
  }

  GetCapacityResponse capacity(GetCapacityRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_CAPACITY), "GetCapacity");
    services.fields.check(request);
    request.getVolumeCapabilitiesList().forEach(Capabilities::wellFormed);
    if (request.hasAccessibleTopology()) {
      if (!settings.withTopology()) {
        throw Failure.invalid("accessible_topology needs VOLUME_ACCESSIBILITY_CONSTRAINTS");
      }
      Placement.wellFormed(request.getAccessibleTopology());
    }
    boolean served =
        request.getVolumeCapabilitiesList().stream()
            .allMatch(one -> services.capabilities.unsupported(one, false).isEmpty());
    long free = served && knownParameters(request) ? free(request.getAccessibleTopology()) : 0;
    return GetCapacityResponse.newBuilder()
        .setAvailableCapacity(free)
        .setMaximumVolumeSize(Int64Value.of(Math.min(free, settings.maxSize)))
        .setMinimumVolumeSize(Int64Value.of(settings.minSize))
        .build();
  }

  /** The provisioner leaves its own keys in the request. */
  private boolean knownParameters(GetCapacityRequest request) {
    return request.getParametersMap().keySet().stream()
        .allMatch(
            key ->
                key.startsWith("csi.storage.k8s.io/")
                    || settings.parameters.map(known -> known.contains(key)).orElse(true));
  }

  private long free(Topology asked) {
    if (!settings.withTopology()) {
      return Math.max(0, settings.capacity - state.promised(any -> true));
    }
    return settings.topologies.stream()
        .filter(place -> Placement.matches(place, asked))
        .mapToLong(place -> settings.capacity - state.promised(place::equals))
        .max()
        .orElse(0);
  }

  ControllerExpandVolumeResponse expand(ControllerExpandVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.EXPAND_VOLUME), "ControllerExpandVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.hasCapacityRange(), "capacity_range");
    Ranges.wellFormed(request.getCapacityRange());
    if (request.hasVolumeCapability()) {
      Capabilities.wellFormed(request.getVolumeCapability());
    }
    FakeVolume volume = state.volume(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      services
          .capabilities
          .unsupported(volume, request.getVolumeCapability(), false)
          .ifPresent(
              reason -> {
                throw Failure.invalid(reason);
              });
    }
    long size = services.ranges.grown(request.getCapacityRange(), volume.capacity);
    boolean onNode = settings.has(NodeServiceCapability.RPC.Type.EXPAND_VOLUME);
    if (size > volume.capacity) {
      if (!online() && volume.inUse()) {
        throw Failure.precondition("volume " + volume.id + " is in use and grows offline only");
      }
      volume.capacity = size;
      if (!onNode) {
        volume.grownTo = size;
      }
    }
    return ControllerExpandVolumeResponse.newBuilder()
        .setCapacityBytes(volume.capacity)
        .setNodeExpansionRequired(onNode && !isBlock(request, volume))
        .build();
  }

  private boolean online() {
    return settings.expansion.contains(PluginCapability.VolumeExpansion.Type.ONLINE);
  }

  private static boolean isBlock(ControllerExpandVolumeRequest request, FakeVolume volume) {
    return request.hasVolumeCapability()
        ? request.getVolumeCapability().hasBlock()
        : volume.request.getVolumeCapabilitiesList().stream().allMatch(VolumeCapability::hasBlock);
  }

  ControllerModifyVolumeResponse modify(ControllerModifyVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.MODIFY_VOLUME), "ControllerModifyVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getMutableParamsCount() > 0, "mutable_parameters");
    FakeVolume volume = state.volume(request.getVolumeId());
    Parameters.checkMutable(settings, request.getMutableParamsMap());
    volume.mutableParameters.putAll(request.getMutableParamsMap());
    return ControllerModifyVolumeResponse.getDefaultInstance();
  }
}
