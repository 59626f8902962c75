package dev.csijava.core;

import static dev.csijava.spec.v1.NodeServiceCapability.RPC.Type;

import dev.csijava.core.health.NodeHealth;
import dev.csijava.core.health.StorageHealth;
import dev.csijava.core.node.NodeExpansion;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.Staging;
import dev.csijava.core.node.VolumeStats;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers what a driver's Node service can do. Each method that takes a handler advertises the
 * capability that the handler stands for.
 *
 * <p>Handed to the function given to {@link CsiDriver.Builder#node}, and of no use after it. Not
 * safe for use by several threads. Registering something twice is an {@link IllegalStateException}.
 *
 * @since 0.1.0
 */
public final class NodeBuilder {
  private final Handlers handlers = new Handlers();
  private final Set<Type> capabilities = EnumSet.noneOf(Type.class);
  private @Nullable String id;
  private Map<String, String> topology = Map.of();
  private LongSupplier maxVolumes = () -> 0;
  private @Nullable NodeHealth health;

  NodeBuilder() {}

  /**
   * The node's id as the controller knows it; at most 256 bytes, 128 for older callers. Required.
   *
   * @since 0.1.0
   */
  public NodeBuilder id(String nodeId) {
    // What System.getenv answers for a variable that is not set comes here as well.
    if (nodeId == null || nodeId.isBlank()) {
      throw new IllegalArgumentException(
          "the node id is empty; give the node's name, for example from the field spec.nodeName");
    }
    id = nodeId;
    return this;
  }

  /**
   * Where the node stands, and with it VOLUME_ACCESSIBILITY_CONSTRAINTS. A key is a name or {@code
   * prefix/name}; keys that differ only in case are the same. The controller must honour topology.
   *
   * @since 0.1.0
   */
  public NodeBuilder topology(Map<String, String> segments) {
    if (segments.isEmpty()) {
      throw new IllegalArgumentException(
          "the node's topology has no segment; leave it out or give at least one");
    }
    topology = Map.copyOf(segments);
    return this;
  }

  /**
   * How many volumes the node takes; zero or less leaves it to the caller. Asked in each
   * NodeGetInfo, which newer kubelets call periodically; must not block.
   *
   * @since 0.1.0
   */
  public NodeBuilder maxVolumes(LongSupplier volumes) {
    maxVolumes = volumes;
    return this;
  }

  /**
   * NodePublishVolume and NodeUnpublishVolume. Required.
   *
   * @since 0.1.0
   */
  public NodeBuilder publishing(Publishing publishing) {
    handlers
        .unary(Rpc.NODE_PUBLISH_VOLUME, publishing::nodePublishVolume)
        .unary(Rpc.NODE_UNPUBLISH_VOLUME, publishing::nodeUnpublishVolume);
    return this;
  }

  /**
   * STAGE_UNSTAGE_VOLUME.
   *
   * @since 0.1.0
   */
  public NodeBuilder staging(Staging staging) {
    handlers
        .unary(Rpc.NODE_STAGE_VOLUME, staging::nodeStageVolume)
        .unary(Rpc.NODE_UNSTAGE_VOLUME, staging::nodeUnstageVolume);
    capabilities.add(Type.STAGE_UNSTAGE_VOLUME);
    return this;
  }

  /**
   * GET_VOLUME_STATS.
   *
   * @since 0.1.0
   */
  public NodeBuilder stats(VolumeStats stats) {
    handlers.unary(Rpc.NODE_GET_VOLUME_STATS, stats::nodeGetVolumeStats);
    capabilities.add(Type.GET_VOLUME_STATS);
    return this;
  }

  /**
   * EXPAND_VOLUME of the node. {@link CsiDriver.Builder#volumeExpansion} says whether volumes in
   * use can grow.
   *
   * @since 0.1.0
   */
  public NodeBuilder expansion(NodeExpansion expansion) {
    handlers.unary(Rpc.NODE_EXPAND_VOLUME, expansion::nodeExpandVolume);
    capabilities.add(Type.EXPAND_VOLUME);
    return this;
  }

  /**
   * Health of published volumes: VOLUME_CONDITION towards callers of CSI 1.12, where the framework
   * fills it into NodeGetVolumeStats, and GET_VOLUME_HEALTH towards those of 1.13.
   *
   * @since 0.1.0
   */
  public NodeBuilder health(NodeHealth nodeHealth) {
    handlers.unary(Rpc.NODE_GET_VOLUME_HEALTH, nodeHealth::nodeGetVolumeHealth);
    capabilities.add(Type.GET_VOLUME_HEALTH);
    health = nodeHealth;
    return this;
  }

  /**
   * GET_STORAGE_HEALTH of CSI 1.13.
   *
   * @since 0.1.0
   */
  public NodeBuilder storageHealth(StorageHealth storageHealth) {
    handlers.unary(Rpc.NODE_GET_STORAGE_HEALTH, storageHealth::nodeGetStorageHealth);
    capabilities.add(Type.GET_STORAGE_HEALTH);
    return this;
  }

  /**
   * SINGLE_NODE_MULTI_WRITER: the modes SINGLE_NODE_SINGLE_WRITER and SINGLE_NODE_MULTI_WRITER are
   * understood. kubelet then sends SINGLE_NODE_MULTI_WRITER for ReadWriteOnce, and two pods of one
   * node can share a volume. The controller must say the same.
   *
   * @since 0.1.0
   */
  public NodeBuilder singleNodeMultiWriter() {
    capabilities.add(Type.SINGLE_NODE_MULTI_WRITER);
    return this;
  }

  /**
   * VOLUME_MOUNT_GROUP: the group is handed to the operating system's mount call. A bind mount
   * can't keep that promise.
   *
   * @since 0.1.0
   */
  public NodeBuilder mountGroup() {
    capabilities.add(Type.VOLUME_MOUNT_GROUP);
    return this;
  }

  Handlers handlers() {
    return handlers;
  }

  Set<Type> capabilities() {
    return capabilities;
  }

  Optional<String> nodeId() {
    return Optional.ofNullable(id);
  }

  Map<String, String> segments() {
    return topology;
  }

  LongSupplier volumeLimit() {
    return maxVolumes;
  }

  Optional<NodeHealth> health() {
    return Optional.ofNullable(health);
  }
}
