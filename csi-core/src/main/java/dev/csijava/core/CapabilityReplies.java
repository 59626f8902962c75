package dev.csijava.core;

import dev.csijava.spec.v1.ControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GetPluginCapabilitiesResponse;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesResponse;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeGetCapabilitiesResponse;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.EnumSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * The four capability replies, derived from what is registered and written in the values of one
 * version of the specification.
 */
final class CapabilityReplies {
  private static final Set<PluginCapability.Service.Type> PLUGIN_ONLY_1_13 =
      EnumSet.of(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
  private static final Set<ControllerServiceCapability.RPC.Type> CONTROLLER_ONLY_1_13 =
      EnumSet.of(
          ControllerServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
          ControllerServiceCapability.RPC.Type.LIST_VOLUME_HEALTH);
  private static final Set<ControllerServiceCapability.RPC.Type> CONTROLLER_ONLY_1_12 =
      EnumSet.of(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
  private static final Set<NodeServiceCapability.RPC.Type> NODE_ONLY_1_13 =
      EnumSet.of(
          NodeServiceCapability.RPC.Type.GET_VOLUME_HEALTH,
          NodeServiceCapability.RPC.Type.GET_STORAGE_HEALTH);
  private static final Set<NodeServiceCapability.RPC.Type> NODE_ONLY_1_12 =
      EnumSet.of(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);

  private final GetPluginCapabilitiesResponse plugin;
  private final ControllerGetCapabilitiesResponse controller;
  private final NodeGetCapabilitiesResponse node;
  private final GroupControllerGetCapabilitiesResponse group;

  CapabilityReplies(CapabilityView capabilities, SpecVersion version) {
    boolean v12 = version == SpecVersion.V1_12;
    plugin = pluginReply(capabilities, v12 ? PLUGIN_ONLY_1_13 : Set.of());
    controller = controllerReply(capabilities, v12 ? CONTROLLER_ONLY_1_13 : CONTROLLER_ONLY_1_12);
    node = nodeReply(capabilities, v12 ? NODE_ONLY_1_13 : NODE_ONLY_1_12);
    group = groupReply(capabilities);
  }

  GetPluginCapabilitiesResponse plugin() {
    return plugin;
  }

  ControllerGetCapabilitiesResponse controller() {
    return controller;
  }

  NodeGetCapabilitiesResponse node() {
    return node;
  }

  GroupControllerGetCapabilitiesResponse group() {
    return group;
  }

  private static GetPluginCapabilitiesResponse pluginReply(
      CapabilityView capabilities, Set<PluginCapability.Service.Type> hidden) {
    GetPluginCapabilitiesResponse.Builder reply = GetPluginCapabilitiesResponse.newBuilder();
    for (PluginCapability.Service.Type type : new TreeSet<>(capabilities.plugin())) {
      if (!hidden.contains(type)) {
        reply.addCapabilitiesBuilder().getServiceBuilder().setType(type);
      }
    }
    for (PluginCapability.VolumeExpansion.Type type : new TreeSet<>(capabilities.expansion())) {
      reply.addCapabilitiesBuilder().getVolumeExpansionBuilder().setType(type);
    }
    return reply.build();
  }

  private static ControllerGetCapabilitiesResponse controllerReply(
      CapabilityView capabilities, Set<ControllerServiceCapability.RPC.Type> hidden) {
    ControllerGetCapabilitiesResponse.Builder reply =
        ControllerGetCapabilitiesResponse.newBuilder();
    for (ControllerServiceCapability.RPC.Type type : new TreeSet<>(capabilities.controller())) {
      if (!hidden.contains(type)) {
        reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
      }
    }
    return reply.build();
  }

  private static NodeGetCapabilitiesResponse nodeReply(
      CapabilityView capabilities, Set<NodeServiceCapability.RPC.Type> hidden) {
    NodeGetCapabilitiesResponse.Builder reply = NodeGetCapabilitiesResponse.newBuilder();
    for (NodeServiceCapability.RPC.Type type : new TreeSet<>(capabilities.node())) {
      if (!hidden.contains(type)) {
        reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
      }
    }
    return reply.build();
  }

  private static GroupControllerGetCapabilitiesResponse groupReply(CapabilityView capabilities) {
    GroupControllerGetCapabilitiesResponse.Builder reply =
        GroupControllerGetCapabilitiesResponse.newBuilder();
    for (GroupControllerServiceCapability.RPC.Type type : new TreeSet<>(capabilities.group())) {
      reply.addCapabilitiesBuilder().getRpcBuilder().setType(type);
    }
    return reply.build();
  }
}
