package dev.csijava.core;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/** Capability sets for tests. */
final class Capabilities {
  /** A driver that offers everything. */
  static final CapabilityView ALL =
      new CapabilityView(
          all(PluginCapability.Service.Type.values()),
          all(PluginCapability.VolumeExpansion.Type.values()),
          all(ControllerServiceCapability.RPC.Type.values()),
          all(NodeServiceCapability.RPC.Type.values()),
          all(GroupControllerServiceCapability.RPC.Type.values()),
          true);

  /** A driver that offers nothing, controller and node in one process. */
  static final CapabilityView NONE =
      new CapabilityView(Set.of(), Set.of(), Set.of(), Set.of(), Set.of(), true);

  private Capabilities() {}

  static CapabilityView without(PluginCapability.Service.Type... types) {
    Set<PluginCapability.Service.Type> plugin = less(ALL.plugin(), types);
    return new CapabilityView(
        plugin, ALL.expansion(), ALL.controller(), ALL.node(), ALL.group(), true);
  }

  static CapabilityView without(ControllerServiceCapability.RPC.Type... types) {
    Set<ControllerServiceCapability.RPC.Type> controller = less(ALL.controller(), types);
    return new CapabilityView(
        ALL.plugin(), ALL.expansion(), controller, ALL.node(), ALL.group(), true);
  }

  static CapabilityView without(NodeServiceCapability.RPC.Type... types) {
    Set<NodeServiceCapability.RPC.Type> node = less(ALL.node(), types);
    return new CapabilityView(
        ALL.plugin(), ALL.expansion(), ALL.controller(), node, ALL.group(), true);
  }

  private static <E> Set<E> less(Set<E> all, E[] types) {
    Set<E> rest = new HashSet<>(all);
    rest.removeAll(Arrays.asList(types));
    return rest;
  }

  private static <E extends Enum<E>> Set<E> all(E[] types) {
    return Arrays.stream(types)
        .filter(type -> !Set.of("UNKNOWN", "UNRECOGNIZED").contains(type.name()))
        .collect(Collectors.toSet());
  }
}
