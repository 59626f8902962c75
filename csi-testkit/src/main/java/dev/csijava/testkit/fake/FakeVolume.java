package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.Volume;
import dev.csijava.spec.v1.VolumeCapability;
import dev.csijava.spec.v1.VolumeHealth.VolumeHealthEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One volume with all that happens to it. Guarded by the state's lock. */
final class FakeVolume {
  /** Attached to a node. */
  record Attachment(
      VolumeCapability capability, boolean readonly, Map<String, String> publishContext) {}

  /** Published at a target path of this node; the staging path is empty where there is none. */
  record Publication(VolumeCapability capability, boolean readonly, String stagingPath) {}

  final String id;

  /** The request that made it, without secrets. */
  final CreateVolumeRequest request;

  final Map<String, String> context;
  final List<Topology> topology;
  final BlockMap blocks;
  final Map<String, String> mutableParameters = new HashMap<>();
  final Map<String, Attachment> attachments = new TreeMap<>();
  final Map<String, VolumeCapability> stagings = new TreeMap<>();
  final Map<String, Publication> publications = new TreeMap<>();
  final List<VolumeHealthEntry> health = new ArrayList<>();
  long capacity;

  /** How far the file system reaches; grows with NodeExpandVolume, or when it is used anew. */
  long grownTo;

  FakeVolume(
      String id,
      CreateVolumeRequest request,
      Map<String, String> context,
      List<Topology> topology,
      BlockMap blocks,
      long capacity) {
    this.id = id;
    this.request = request;
    this.context = Map.copyOf(context);
    this.topology = List.copyOf(topology);
    this.blocks = blocks;
    this.capacity = capacity;
    this.grownTo = capacity;
    this.mutableParameters.putAll(request.getMutableParamsMap());
  }

  boolean usedOnNode() {
    return !stagings.isEmpty() || !publications.isEmpty();
  }

  boolean inUse() {
    return usedOnNode() || !attachments.isEmpty();
  }

  /** The capacity that a user of the volume sees. */
  void useWholeCapacity() {
    if (!usedOnNode()) {
      grownTo = capacity;
    }
  }

  Volume message() {
    Volume.Builder volume =
        Volume.newBuilder()
            .setVolumeId(id)
            .setCapacityBytes(capacity)
            .putAllVolumeContext(context)
            .addAllAccessibleTopology(topology);
    if (request.hasVolumeContentSource()) {
      volume.setContentSource(request.getVolumeContentSource());
    }
    return volume.build();
  }
}
