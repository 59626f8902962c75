package dev.csijava.testkit.fake;

import dev.csijava.spec.v1.BlockMetadataType;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import dev.csijava.spec.v1.Topology;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What a builder was told, fixed at the start. */
final class FakeSettings {
  final String name;
  final String vendorVersion;
  final Set<PluginCapability.Service.Type> plugin;
  final Set<PluginCapability.VolumeExpansion.Type> expansion;
  final Set<ControllerServiceCapability.RPC.Type> controller;
  final Set<NodeServiceCapability.RPC.Type> node;
  final Set<GroupControllerServiceCapability.RPC.Type> group;
  final boolean nodeService;
  final boolean inlineVolumes;
  final List<String> nodes;
  final long maxVolumesPerNode;
  final List<Topology> topologies;
  final int topologiesPerVolume;
  final long minSize;
  final long maxSize;
  final long defaultSize;
  final long capacity;
  final int maxSnapshots;
  final Set<Mode> modes;
  final boolean blockVolumes;
  final boolean mountVolumes;
  final Set<String> fileSystems;
  final Set<String> mountFlags;
  final Optional<Set<String>> parameters;
  final Map<String, Pattern> mutableParameters;
  final String groupParameter;
  final Map<String, String> requiredSecrets;
  final Duration snapshotProcessing;
  final boolean snapshotsPinned;
  final boolean volumesPinned;
  final boolean changedBlockTracking;
  final BlockMetadataType blockMetadataType;
  final int blockMetadataBatch;
  final boolean workload;

  FakeSettings(FakeDriverBuilder from) {
    name = from.name;
    vendorVersion = from.vendorVersion;
    plugin = Set.copyOf(from.plugin);
    expansion = Set.copyOf(from.expansion);
    controller = Set.copyOf(from.controller);
    node = Set.copyOf(from.node);
    group = Set.copyOf(from.group);
    nodeService = from.nodeService;
    inlineVolumes = from.inlineVolumes;
    nodes = List.copyOf(from.nodes);
    maxVolumesPerNode = from.maxVolumesPerNode;
    topologies = List.copyOf(from.topologies);
    topologiesPerVolume = from.topologiesPerVolume;
    minSize = from.minSize;
    maxSize = from.maxSize;
    defaultSize = Math.min(from.maxSize, Math.max(from.minSize, from.defaultSize));
    capacity = from.capacity;
    maxSnapshots = from.maxSnapshots;
    modes = Set.copyOf(from.modes);
    blockVolumes = from.blockVolumes;
    mountVolumes = from.mountVolumes;
    fileSystems = Set.copyOf(from.fileSystems);
    mountFlags = Set.copyOf(from.mountFlags);
    parameters = from.parameters.map(Set::copyOf);
    mutableParameters = Map.copyOf(from.mutableParameters);
    groupParameter = from.groupParameter;
    requiredSecrets = Map.copyOf(from.requiredSecrets);
    snapshotProcessing = from.snapshotProcessing;
    snapshotsPinned = from.snapshotsPinned;
    volumesPinned = from.volumesPinned;
    changedBlockTracking = from.changedBlockTracking;
    blockMetadataType = from.blockMetadataType;
    blockMetadataBatch = from.blockMetadataBatch;
    workload = from.workload;
  }

  boolean has(PluginCapability.Service.Type capability) {
    return plugin.contains(capability);
  }

  boolean has(ControllerServiceCapability.RPC.Type capability) {
    return controllerService() && controller.contains(capability);
  }

  boolean has(NodeServiceCapability.RPC.Type capability) {
    return nodeService && node.contains(capability);
  }

  boolean has(GroupControllerServiceCapability.RPC.Type capability) {
    return groupService() && group.contains(capability);
  }

  boolean controllerService() {
    return has(PluginCapability.Service.Type.CONTROLLER_SERVICE);
  }

  boolean groupService() {
    return has(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE);
  }

  boolean metadataService() {
    return has(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
  }

  boolean withTopology() {
    return has(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
  }

  boolean withSnapshotTopology() {
    return has(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
  }

  boolean finerModes(boolean onNode) {
    return onNode
        ? has(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER)
        : has(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
  }

  String ownNode() {
    return nodes.get(0);
  }
}
