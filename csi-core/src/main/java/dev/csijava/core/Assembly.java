package dev.csijava.core;

import com.google.protobuf.Empty;
import com.google.protobuf.Message;
import dev.csijava.core.group.GroupSnapshots;
import dev.csijava.core.metadata.SnapshotMetadata;
import dev.csijava.spec.v1.ControllerServiceCapability;
import dev.csijava.spec.v1.GroupControllerServiceCapability;
import dev.csijava.spec.v1.NodeServiceCapability;
import dev.csijava.spec.v1.PluginCapability;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Everything that was given to a {@link CsiDriver.Builder}, on its way to becoming a driver. */
record Assembly(
    String name,
    String version,
    Map<String, String> manifest,
    Readiness readiness,
    SpecVersion advertised,
    Mode mode,
    @Nullable ControllerBuilder controller,
    @Nullable NodeBuilder node,
    PluginCapability.VolumeExpansion.@Nullable Type expansion,
    @Nullable GroupSnapshots groups,
    @Nullable SnapshotMetadata metadata) {

  CsiDriver assemble() {
    CapabilityView capabilities = capabilities().frozen(node != null);
    Consistency.check(this, capabilities);
    Handlers handlers = new Handlers();
    CapabilityReplies replies = new CapabilityReplies(capabilities, advertised);
    IdentityService identity = new IdentityService(name, version, manifest, readiness, replies);
    ResponseValidator answers = new ResponseValidator(capabilities);
    requireValid(Rpc.GET_PLUGIN_INFO, identity.info(), answers);
    identity.register(handlers);
    if (controller != null) {
      handlers.addAll(controller.handlers());
      handlers.unary(Rpc.CONTROLLER_GET_CAPABILITIES, (request, call) -> replies.controller());
      if (speaksOfConditions()) {
        controller.health().ifPresent(health -> VolumeConditions.fillIn(handlers, health));
      }
    }
    if (node != null) {
      handlers.addAll(node.handlers());
      handlers.unary(Rpc.NODE_GET_CAPABILITIES, (request, call) -> replies.node());
      NodeInfo info = NodeInfo.of(node);
      if (mode.serves(Rpc.NODE_GET_INFO)) {
        requireValid(Rpc.NODE_GET_INFO, info.fixed(), answers);
      }
      info.register(handlers);
      if (speaksOfConditions()) {
        node.health().ifPresent(health -> VolumeConditions.fillIn(handlers, health));
      }
    }
    registerGroups(handlers, replies);
    registerMetadata(handlers);
    GoneAlready.answer(handlers);
    PagedLists.keep(handlers);
    KnownConfirmations.keep(handlers);
    handlers.restrictTo(mode);
    return new CsiDriver(name, version, handlers, capabilities);
  }

  /** What never changes is checked once, here, and not when kubelet asks for it at night. */
  private static void requireValid(Rpc rpc, Message answer, ResponseValidator answers) {
    // Neither request has a field.
    Violation violation = answers.find(Empty.getDefaultInstance(), answer);
    if (violation != null) {
      throw new IllegalStateException(
          rpc.title() + " could never be answered: " + violation.sentence());
    }
  }

  /** Health is a VolumeCondition for callers of 1.12; those of 1.13 have RPCs for it. */
  private boolean speaksOfConditions() {
    return advertised == SpecVersion.V1_12;
  }

  private void registerGroups(Handlers handlers, CapabilityReplies replies) {
    if (groups == null) {
      return;
    }
    GroupSnapshots registered = groups;
    handlers
        .unary(Rpc.GROUP_CONTROLLER_GET_CAPABILITIES, (request, call) -> replies.group())
        .unary(Rpc.CREATE_VOLUME_GROUP_SNAPSHOT, registered::createVolumeGroupSnapshot)
        .unary(Rpc.DELETE_VOLUME_GROUP_SNAPSHOT, registered::deleteVolumeGroupSnapshot)
        .unary(Rpc.GET_VOLUME_GROUP_SNAPSHOT, registered::getVolumeGroupSnapshot);
  }

  private void registerMetadata(Handlers handlers) {
    if (metadata == null) {
      return;
    }
    SnapshotMetadata registered = metadata;
    handlers
        .streaming(Rpc.GET_METADATA_ALLOCATED, registered::getMetadataAllocated)
        .streaming(Rpc.GET_METADATA_DELTA, registered::getMetadataDelta);
  }

  private RegisteredCapabilities capabilities() {
    RegisteredCapabilities capabilities = RegisteredCapabilities.none();
    if (expansion != null) {
      capabilities.expansion().add(expansion);
    }
    if (groups != null) {
      capabilities.plugin().add(PluginCapability.Service.Type.GROUP_CONTROLLER_SERVICE);
      capabilities
          .group()
          .add(GroupControllerServiceCapability.RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
    }
    if (metadata != null) {
      capabilities.plugin().add(PluginCapability.Service.Type.SNAPSHOT_METADATA_SERVICE);
    }
    if (controller != null) {
      addController(capabilities, controller);
    }
    if (node != null) {
      addNode(capabilities, node);
    }
    return capabilities;
  }

  private void addController(RegisteredCapabilities capabilities, ControllerBuilder controller) {
    capabilities.plugin().add(PluginCapability.Service.Type.CONTROLLER_SERVICE);
    capabilities.controller().addAll(controller.capabilities());
    if (controller.honoursTopology()) {
      capabilities.plugin().add(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    }
    if (controller.honoursSnapshotTopology()) {
      capabilities.plugin().add(PluginCapability.Service.Type.SNAPSHOT_ACCESSIBILITY_CONSTRAINTS);
    }
    Handlers handlers = controller.handlers();
    if (speaksOfConditions()
        && controller.health().isPresent()
        && (handlers.has(Rpc.LIST_VOLUMES) || handlers.has(Rpc.CONTROLLER_GET_VOLUME))) {
      capabilities.controller().add(ControllerServiceCapability.RPC.Type.VOLUME_CONDITION);
    }
  }

  private void addNode(RegisteredCapabilities capabilities, NodeBuilder node) {
    capabilities.node().addAll(node.capabilities());
    if (!node.segments().isEmpty()) {
      capabilities.plugin().add(PluginCapability.Service.Type.VOLUME_ACCESSIBILITY_CONSTRAINTS);
    }
    if (speaksOfConditions()
        && node.health().isPresent()
        && node.handlers().has(Rpc.NODE_GET_VOLUME_STATS)) {
      capabilities.node().add(NodeServiceCapability.RPC.Type.VOLUME_CONDITION);
    }
  }
}
