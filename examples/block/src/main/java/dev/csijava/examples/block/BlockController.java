package dev.csijava.examples.block;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.controller.Attachments;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.ControllerExpansion;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.operation.IdempotentCreate;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerExpandVolumeResponse;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.DeleteVolumeResponse;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The controller's side: images come, grow, go, and are attached to nodes. */
final class BlockController implements Volumes, Attachments, ControllerExpansion {
  private final CapacityPlanner planner =
      CapacityPlanner.builder().granularity(1 << 20).maximum(1L << 40).build();
  private final SharedDirectory shared;
  private final Set<String> nodes;
  private final int volumesPerNode;
  private final IdempotentCreate<CreateVolumeRequest, BlockVolume> creates;

  BlockController(SharedDirectory shared, Set<String> nodes, int volumesPerNode) {
    this.shared = shared;
    this.nodes = Set.copyOf(nodes);
    this.volumesPerNode = volumesPerNode;
    this.creates =
        IdempotentCreate.ofVolumes(shared, BlockVolume::sizeBytes, (volume, topology) -> true);
  }

  @Override
  public CreateVolumeResponse createVolume(CreateVolumeRequest request, CallContext call) {
    request.getVolumeCapabilitiesList().forEach(BlockController::requireOffered);
    if (!KubernetesKeys.withoutReserved(request.getParametersMap()).isEmpty()) {
      throw CsiException.invalidArgument("volumes of this driver have no parameters");
    }
    BlockVolume volume = creates.findOrCreate(request, this::make);
    return CreateVolumeResponse.newBuilder().setVolume(volume.toVolume()).build();
  }

  private BlockVolume make(CreateVolumeRequest request) {
    return shared.create(request, planner.planNew(request));
  }

  @Override
  public DeleteVolumeResponse deleteVolume(DeleteVolumeRequest request, CallContext call) {
    BlockVolume volume = volume(request.getVolumeId()); // what is not there is answered with OK
    if (!volume.attachments().isEmpty()) {
      throw attachedTo(volume.attachments().get(0).getNodeId());
    }
    shared.delete(volume);
    return DeleteVolumeResponse.getDefaultInstance();
  }

  // One at a time for all volumes: what is counted must not change before it is written.
  @Override
  public synchronized ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request, CallContext call) {
    Use wanted = Use.of(request);
    BlockVolume volume = volume(request.getVolumeId());
    String node = request.getNodeId();
    requireNoContext(request.getVolumeContextMap());
    if (!nodes.contains(node)) {
      throw CsiException.notFound("there is no node " + node);
    }
    ControllerPublishVolumeResponse answer =
        ControllerPublishVolumeResponse.newBuilder()
            .putAllPublishContext(wanted.toPublishContext(node))
            .build();
    if (volume.attachmentTo(node).isPresent()) {
      if (!Use.of(volume.attachmentTo(node).get()).equals(wanted)) {
        throw CsiException.alreadyExists(
            "the volume is attached to the node already, for another use");
      }
      return answer;
    }
    for (ControllerPublishVolumeRequest other : volume.attachments()) {
      if (!wanted.manyNodes() || !Use.of(other).manyNodes()) {
        throw attachedTo(other.getNodeId());
      }
    }
    requireRoomOn(node);
    List<ControllerPublishVolumeRequest> attachments = new ArrayList<>(volume.attachments());
    // Not the whole request, which may hold secrets.
    attachments.add(
        ControllerPublishVolumeRequest.newBuilder()
            .setNodeId(node)
            .setVolumeCapability(request.getVolumeCapability())
            .setReadonly(request.getReadonly())
            .build());
    shared.attach(volume, attachments);
    return answer;
  }

  @Override
  public synchronized ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request, CallContext call) {
    String node = request.getNodeId();
    shared
        .find(request.getVolumeId())
        .filter(volume -> !volume.attachments().isEmpty())
        .ifPresent(
            volume ->
                shared.attach(
                    volume,
                    volume.attachments().stream()
                        .filter(a -> !node.isEmpty() && !a.getNodeId().equals(node))
                        .toList()));
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }

  /** Grows the image while pods use it; each node then makes its device as large. */
  @Override
  public ControllerExpandVolumeResponse controllerExpandVolume(
      ControllerExpandVolumeRequest request, CallContext call) {
    BlockVolume volume = volume(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      requireOffered(request.getVolumeCapability());
    }
    long size = planner.planGrowth(volume.sizeBytes(), request.getCapacityRange());
    try {
      SharedDirectory.grow(volume.image(), size);
    } catch (IOException e) {
      throw CsiException.unavailable("the image can't be made larger", e);
    }
    return ControllerExpandVolumeResponse.newBuilder()
        .setCapacityBytes(size)
        .setNodeExpansionRequired(true)
        .build();
  }

  @Override
  public ValidateVolumeCapabilitiesResponse validateVolumeCapabilities(
      ValidateVolumeCapabilitiesRequest request, CallContext call) {
    volume(request.getVolumeId());
    requireNoContext(request.getVolumeContextMap());
    if (!KubernetesKeys.withoutReserved(request.getParametersMap()).isEmpty()) {
      return CapabilityValidation.notConfirmed("volumes of this driver have no parameters");
    }
    return request.getVolumeCapabilitiesList().stream().allMatch(each -> Use.of(each).isPresent())
        ? CapabilityValidation.confirmed(request)
        : CapabilityValidation.notConfirmed(Use.refusal());
  }

  private BlockVolume volume(String id) {
    return shared.find(id).orElseThrow(() -> CsiException.notFound("there is no such volume"));
  }

  private void requireRoomOn(String node) {
    long attached = shared.all().stream().filter(v -> v.attachmentTo(node).isPresent()).count();
    if (attached >= volumesPerNode) {
      throw CsiException.resourceExhausted(
          "node " + node + " has its maximum of " + volumesPerNode + " volumes; detach one first");
    }
  }

  private static CsiException attachedTo(String node) {
    return CsiException.failedPrecondition(
        "the volume is attached to node " + node + "; detach it there first");
  }

  private static void requireOffered(VolumeCapability capability) {
    if (Use.of(capability).isEmpty()) {
      throw CsiException.invalidArgument("volume_capability: " + Use.refusal());
    }
  }

  /** Volumes of this driver have none of their own. */
  static void requireNoContext(Map<String, String> context) {
    if (!KubernetesKeys.withoutReserved(context).isEmpty()) {
      throw CsiException.invalidArgument("volume_context is not the one of this volume");
    }
  }
}
