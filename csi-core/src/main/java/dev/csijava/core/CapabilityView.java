package dev.csijava.core;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.Set;

/**
 * What a driver has registered, as validation sees it: the capabilities of CSI 1.12 and 1.13
 * together, whichever of them are advertised.
 *
 * @param servesNode whether this process knows the driver's node side; where it does not, nothing
 *     is concluded from a capability missing in {@code node}
 */
record CapabilityView(
    Set<PluginCapability.Service.Type> plugin,
    Set<PluginCapability.VolumeExpansion.Type> expansion,
    Set<ControllerServiceCapability.RPC.Type> controller,
    Set<NodeServiceCapability.RPC.Type> node,
    Set<GroupControllerServiceCapability.RPC.Type> group,
    boolean servesNode) {

  CapabilityView {
    plugin = Set.copyOf(plugin);
    expansion = Set.copyOf(expansion);
    controller = Set.copyOf(controller);
    node = Set.copyOf(node);
    group = Set.copyOf(group);
  }

  boolean has(PluginCapability.Service.Type type) {
    return plugin.contains(type);
  }

  boolean has(PluginCapability.VolumeExpansion.Type type) {
    return expansion.contains(type);
  }

  boolean has(ControllerServiceCapability.RPC.Type type) {
    return controller.contains(type);
  }

  boolean has(NodeServiceCapability.RPC.Type type) {
    return node.contains(type);
  }
}
