package dev.csijava.core;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.EnumSet;
import java.util.Set;

/**
 * Collects what the registered handlers amount to, in the values of both versions of the
 * specification. What a caller is told is a selection of it ({@link CapabilityReplies}).
 */
record RegisteredCapabilities(
    Set<PluginCapability.Service.Type> plugin,
    Set<PluginCapability.VolumeExpansion.Type> expansion,
    Set<ControllerServiceCapability.RPC.Type> controller,
    Set<NodeServiceCapability.RPC.Type> node,
    Set<GroupControllerServiceCapability.RPC.Type> group) {
  static RegisteredCapabilities none() {
    return new RegisteredCapabilities(
        EnumSet.noneOf(PluginCapability.Service.Type.class),
        EnumSet.noneOf(PluginCapability.VolumeExpansion.Type.class),
        EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class),
        EnumSet.noneOf(NodeServiceCapability.RPC.Type.class),
        EnumSet.noneOf(GroupControllerServiceCapability.RPC.Type.class));
  }

  CapabilityView frozen(boolean servesNode) {
    return new CapabilityView(plugin, expansion, controller, node, group, servesNode);
  }
}
