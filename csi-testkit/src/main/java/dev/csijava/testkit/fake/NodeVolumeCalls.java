package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodeServiceCapability.RPC;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeCondition;
import dev.csijava.spec.v1.VolumeUsage;
import dev.csijava.testkit.fake.FakeVolume.Publication;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The RPCs about volumes that are in use on the node. */
final class NodeVolumeCalls {
  private static final long INODES = 65_536;

  private final FakeServices services;
  private final FakeSettings settings;
  private final FakeState state;

  NodeVolumeCalls(FakeServices services) {
    this.services = services;
    this.settings = services.settings;
    this.state = services.state;
  }

  NodeGetVolumeStatsResponse stats(NodeGetVolumeStatsRequest request) {
    boolean usage = settings.has(RPC.Type.GET_VOLUME_STATS);
    FakeServices.gate(usage || settings.has(RPC.Type.VOLUME_CONDITION), "NodeGetVolumeStats");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getVolumePath(), "volume_path");
    optionalPath(request.getStagingTargetPath());
    FakeState.Inline inline = state.inline.get(request.getVolumePath());
    if (inline != null && inline.volumeId().equals(request.getVolumeId())) {
      return inlineStats(usage);
    }
    FakeVolume volume = state.volume(request.getVolumeId());
    // Not checked for being absolute: csi-sanity wants NOT_FOUND for a relative one.
    VolumeCapability used = usedAt(volume, request.getVolumePath());
    NodeGetVolumeStatsResponse.Builder reply = NodeGetVolumeStatsResponse.newBuilder();
    if (usage && used.hasBlock()) {
      reply.addUsage(
          VolumeUsage.newBuilder().setUnit(VolumeUsage.Unit.BYTES).setTotal(volume.capacity));
    } else if (usage) {
      long full = Math.min(volume.grownTo, volume.blocks.allocatedBytes());
      reply.addUsage(usage(VolumeUsage.Unit.BYTES, volume.grownTo, full));
      reply.addUsage(usage(VolumeUsage.Unit.INODES, INODES, 11));
    }
    if (settings.has(RPC.Type.VOLUME_CONDITION)) {
      reply.setVolumeCondition(ListingCalls.condition(volume));
    }
    return reply.build();
  }

  private NodeGetVolumeStatsResponse inlineStats(boolean usage) {
    NodeGetVolumeStatsResponse.Builder reply = NodeGetVolumeStatsResponse.newBuilder();
    if (usage) {
      reply.addUsage(usage(VolumeUsage.Unit.BYTES, settings.defaultSize, 0));
    }
    if (settings.has(RPC.Type.VOLUME_CONDITION)) {
      reply.setVolumeCondition(VolumeCondition.newBuilder().setMessage("it is as its pod"));
    }
    return reply.build();
  }

  private static VolumeUsage usage(VolumeUsage.Unit unit, long total, long used) {
    return VolumeUsage.newBuilder()
        .setUnit(unit)
        .setTotal(total)
        .setUsed(used)
        .setAvailable(total - used)
        .build();
  }

  private static void optionalPath(String path) {
    if (!path.isEmpty()) {
      Fields.path(path, "staging_target_path");
    }
  }

  /** How the volume is used at a path, or NOT_FOUND. */
  private static VolumeCapability usedAt(FakeVolume volume, String path) {
    String normal;
    try {
      normal = Path.of(path).normalize().toString();
    } catch (InvalidPathException e) {
      throw Failure.invalid("that is no path");
    }
    Publication publication = volume.publications.get(normal);
    @Nullable VolumeCapability used =
        publication == null ? volume.stagings.get(normal) : publication.capability();
    if (used == null) {
      throw Failure.notFound("volume at that path with the id", volume.id);
    }
    return used;
  }

  NodeExpandVolumeResponse expand(NodeExpandVolumeRequest request) {
    FakeServices.gate(settings.has(RPC.Type.EXPAND_VOLUME), "NodeExpandVolume");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getVolumePath(), "volume_path");
    optionalPath(request.getStagingTargetPath());
    if (request.hasCapacityRange()) {
      Ranges.wellFormed(request.getCapacityRange());
    }
    if (request.hasVolumeCapability()) {
      Capabilities.wellFormed(request.getVolumeCapability());
    }
    FakeVolume volume = state.volume(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      services
          .capabilities
          .unsupported(volume, request.getVolumeCapability(), true)
          .ifPresent(
              reason -> {
                throw Failure.invalid(reason);
              });
    }
    Fields.path(request.getVolumePath(), "volume_path");
    usedAt(volume, request.getVolumePath());
    grow(volume, request);
    return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(volume.grownTo).build();
  }

  private void grow(FakeVolume volume, NodeExpandVolumeRequest request) {
    long required = request.getCapacityRange().getRequiredBytes();
    long limit = request.getCapacityRange().getLimitBytes();
    if (settings.has(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME)) {
      if (required > volume.capacity) {
        throw Failure.outOfRange("the controller has not made the volume that large");
      }
    } else {
      volume.capacity =
          Math.max(
              volume.capacity, services.ranges.grown(request.getCapacityRange(), volume.capacity));
    }
    if (limit != 0 && limit < volume.grownTo) {
      throw Failure.outOfRange("volumes don't shrink");
    }
    volume.grownTo = limit == 0 ? volume.capacity : Math.min(limit, volume.capacity);
  }

  NodeGetVolumeHealthResponse health(NodeGetVolumeHealthRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_VOLUME_HEALTH), "NodeGetVolumeHealth");
    services.fields.check(request);
    Fields.required(request.getVolumeId(), "volume_id");
    Fields.required(request.getVolumePublishPath(), "volume_publish_path");
    optionalPath(request.getStagingTargetPath());
    FakeVolume volume = state.volume(request.getVolumeId());
    usedAt(volume, request.getVolumePublishPath());
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(ListingCalls.health(volume))
        .build();
  }

  NodeGetStorageHealthResponse storageHealth(NodeGetStorageHealthRequest request) {
    FakeServices.gate(settings.has(RPC.Type.GET_STORAGE_HEALTH), "NodeGetStorageHealth");
    services.fields.check(request);
    return NodeGetStorageHealthResponse.newBuilder()
        .addAllBackendHealth(state.storageHealth)
        .build();
  }
}
