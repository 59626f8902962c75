package dev.csijava.core;

import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Which sets of capabilities contradict themselves, each with the sentence that a vendor reads when
 * {@code build()} refuses it.
 */
final class Consistency {
  private static final int LONGEST_NODE_ID = 256;

  private record Rule(BiPredicate<Assembly, CapabilityView> broken, String sentence) {}

  private static final List<Rule> RULES =
      List.of(
          new Rule(
              (a, c) -> a.controller() == null && a.node() == null,
              "the driver has neither a controller nor a node; register at least one"),
          new Rule(
              (a, c) -> a.mode() == Mode.CONTROLLER && a.controller() == null,
              "the mode is CONTROLLER but no controller is registered; register it or choose"
                  + " another mode"),
          new Rule(
              (a, c) -> a.mode() == Mode.NODE && a.node() == null,
              "the mode is NODE but no node is registered; register it or choose another mode"),
          new Rule(
              (a, c) -> controllerLacks(a, Rpc.VALIDATE_VOLUME_CAPABILITIES),
              "every controller answers ValidateVolumeCapabilities; register volumes(...) or"
                  + " validation(...)"),
          new Rule(
              (a, c) ->
                  c.has(ControllerServiceCapability.RPC.Type.CLONE_VOLUME)
                      && controllerLacks(a, Rpc.CREATE_VOLUME),
              "cloning() needs volumes(...): a clone is made by CreateVolume"),
          new Rule(
              (a, c) ->
                  c.has(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT)
                      && controllerLacks(a, Rpc.CREATE_VOLUME),
              "snapshots(...) needs volumes(...): whoever makes snapshots must restore them by"
                  + " CreateVolume"),
          new Rule(
              (a, c) ->
                  c.has(ControllerServiceCapability.RPC.Type.PUBLISH_READONLY)
                      && controllerLacks(a, Rpc.CONTROLLER_PUBLISH_VOLUME),
              "publishReadonly() needs attachments(...): it is a property of"
                  + " ControllerPublishVolume"),
          new Rule(
              (a, c) ->
                  c.has(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                      && controllerLacks(a, Rpc.CONTROLLER_PUBLISH_VOLUME),
              "publishedNodes() needs attachments(...): without attachment no node has a volume"),
          new Rule(
              (a, c) ->
                  c.has(ControllerServiceCapability.RPC.Type.LIST_VOLUMES_PUBLISHED_NODES)
                      && controllerLacks(a, Rpc.LIST_VOLUMES),
              "publishedNodes() needs listing(...): it is a property of ListVolumes"),
          new Rule(
              (a, c) -> a.node() != null && !a.node().handlers().has(Rpc.NODE_PUBLISH_VOLUME),
              "every node answers NodePublishVolume; register publishing(...)"),
          new Rule(
              (a, c) ->
                  a.node() != null && a.mode() != Mode.CONTROLLER && a.node().nodeId().isEmpty(),
              "the node has no id; call id(...) with what the controller knows the node by"),
          new Rule(
              (a, c) -> a.node() != null && nodeIdTooLong(a.node()),
              "the node id is longer than 256 bytes; give a shorter one"),
          new Rule(
              (a, c) -> singleWriterDiffers(a),
              "controller and node disagree about singleNodeMultiWriter(); call it on both or on"
                  + " neither"),
          new Rule(
              (a, c) ->
                  topologyOf(a.controller())
                      && a.mode() != Mode.CONTROLLER
                      && a.node() != null
                      && a.node().segments().isEmpty(),
              "the controller honours topology but the node reports none; call topology(...) on the"
                  + " node"),
          new Rule(
              (a, c) ->
                  a.controller() != null
                      && !topologyOf(a.controller())
                      && a.node() != null
                      && !a.node().segments().isEmpty(),
              "the node reports a topology but the controller does not honour it; call topology()"
                  + " on the controller or leave the node's out"),
          new Rule(
              (a, c) ->
                  topologyOf(a.controller())
                      && controllerLacks(a, Rpc.CREATE_VOLUME)
                      && controllerLacks(a, Rpc.LIST_VOLUMES)
                      && controllerLacks(a, Rpc.CONTROLLER_GET_VOLUME),
              "topology() of the controller needs volumes(...), listing(...) or lookup(...): it is"
                  + " a property of the volumes that they answer"),
          new Rule(
              (a, c) ->
                  c.has(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS)
                      && !(topologyOf(a.controller()) && !controllerLacks(a, Rpc.CREATE_SNAPSHOT)),
              "snapshotTopology() needs snapshots(...) and topology()"),
          new Rule(
              (a, c) -> expands(a) && a.expansion() == null,
              "an expansion handler is registered; say whether volumes in use can grow by"
                  + " volumeExpansion(ONLINE) or volumeExpansion(OFFLINE)"),
          new Rule(
              (a, c) -> c.has(PluginCapability.VolumeExpansion.Type.ONLINE) && !expands(a),
              "volumeExpansion(ONLINE) needs an expansion handler of the controller or the node"),
          new Rule(
              (a, c) ->
                  c.has(PluginCapability.VolumeExpansion.Type.OFFLINE)
                      && !c.has(ControllerServiceCapability.RPC.Type.EXPAND_VOLUME),
              "volumeExpansion(OFFLINE) needs an expansion handler of the controller"),
          new Rule(
              (a, c) ->
                  a.groups() != null
                      && !c.has(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT),
              "groupSnapshots(...) needs snapshots(...): each member must be restorable on its"
                  + " own"),
          new Rule(
              (a, c) ->
                  a.metadata() != null
                      && !c.has(ControllerServiceCapability.RPC.Type.CREATE_DELETE_SNAPSHOT),
              "snapshotMetadata(...) needs snapshots(...): it describes their blocks"));

  private Consistency() {}

  static void check(Assembly assembly, CapabilityView capabilities) {
    for (Rule rule : RULES) {
      if (rule.broken().test(assembly, capabilities)) {
        throw new IllegalStateException(rule.sentence());
      }
    }
  }

  private static boolean controllerLacks(Assembly assembly, Rpc rpc) {
    return assembly.controller() != null && !assembly.controller().handlers().has(rpc);
  }

  private static boolean topologyOf(@Nullable ControllerBuilder controller) {
    return controller != null && controller.honoursTopology();
  }

  private static boolean expands(Assembly assembly) {
    return (assembly.controller() != null
            && assembly.controller().handlers().has(Rpc.CONTROLLER_EXPAND_VOLUME))
        || (assembly.node() != null && assembly.node().handlers().has(Rpc.NODE_EXPAND_VOLUME));
  }

  private static boolean nodeIdTooLong(NodeBuilder node) {
    return node.nodeId()
        .map(id -> id.getBytes(StandardCharsets.UTF_8).length > LONGEST_NODE_ID)
        .orElse(false);
  }

  private static boolean singleWriterDiffers(Assembly assembly) {
    if (assembly.controller() == null || assembly.node() == null) {
      return false;
    }
    return assembly
            .controller()
            .capabilities()
            .contains(ControllerServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER)
        != assembly
            .node()
            .capabilities()
            .contains(NodeServiceCapability.RPC.Type.SINGLE_NODE_MULTI_WRITER);
  }
}
