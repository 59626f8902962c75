package dev.csijava.core;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * What the registered handlers amount to, in the values of both versions of the specification. What
 * a caller is told is a selection of it ({@link CapabilityReplies}).
 */
record Capabilities(
    Set<PluginCapability.Service.Type> plugin,
    Set<PluginCapability.VolumeExpansion.Type> expansion,
    Set<ControllerServiceCapability.RPC.Type> controller,
    Set<NodeServiceCapability.RPC.Type> node,
    Set<GroupControllerServiceCapability.RPC.Type> group) {
  static Capabilities none() {
    return new Capabilities(
        EnumSet.noneOf(PluginCapability.Service.Type.class),
        EnumSet.noneOf(PluginCapability.VolumeExpansion.Type.class),
        EnumSet.noneOf(ControllerServiceCapability.RPC.Type.class),
        EnumSet.noneOf(NodeServiceCapability.RPC.Type.class),
        EnumSet.noneOf(GroupControllerServiceCapability.RPC.Type.class));
  }

  Capabilities frozen() {
    return new Capabilities(
        Collections.unmodifiableSet(plugin),
        Collections.unmodifiableSet(expansion),
        Collections.unmodifiableSet(controller),
        Collections.unmodifiableSet(node),
        Collections.unmodifiableSet(group));
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
