package dev.csijava.core;

import static dev.csijava.spec.v1.ControllerServiceCapability.RPC.Type;

import dev.csijava.core.controller.Attachments;
import dev.csijava.core.controller.CapabilityValidation;
import dev.csijava.core.controller.Capacity;
import dev.csijava.core.controller.ControllerExpansion;
import dev.csijava.core.controller.SnapshotListing;
import dev.csijava.core.controller.SnapshotLookup;
import dev.csijava.core.controller.Snapshots;
import dev.csijava.core.controller.VolumeListing;
import dev.csijava.core.controller.VolumeLookup;
import dev.csijava.core.controller.VolumeModification;
import dev.csijava.core.controller.Volumes;
import dev.csijava.core.health.ControllerHealth;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registers what a driver's Controller service can do. Each method that takes a handler advertises
 * the capability that the handler stands for; the others state a property of handlers that are
 * registered too.
 *
 * <p>Handed to the function given to {@link CsiDriver.Builder#controller}, and of no use after it.
 * Not safe for use by several threads. Registering something twice is an {@link
 * IllegalStateException}.
 *
 * @since 0.1.0
 */
public final class ControllerBuilder {
  private final Handlers handlers = new Handlers();
  private final Set<Type> capabilities = EnumSet.noneOf(Type.class);
  private boolean topology;
  private boolean snapshotTopology;
  private @Nullable ControllerHealth health;

  ControllerBuilder() {}

  /**
   * CREATE_DELETE_VOLUME, and ValidateVolumeCapabilities with it.
   *
   * @since 0.1.0
   */
  public ControllerBuilder volumes(Volumes volumes) {
    handlers
        .unary(Rpc.CREATE_VOLUME, volumes::createVolume)
        .unary(Rpc.DELETE_VOLUME, volumes::deleteVolume);
    capabilities.add(Type.CREATE_DELETE_VOLUME);
    return validation(volumes);
  }

  /**
   * ValidateVolumeCapabilities, for a controller that does not create volumes.
   *
   * @since 0.1.0
   */
  public ControllerBuilder validation(CapabilityValidation validation) {
    handlers.unary(Rpc.VALIDATE_VOLUME_CAPABILITIES, validation::validateVolumeCapabilities);
    return this;
  }

  /**
   * LIST_VOLUMES.
   *
   * @since 0.1.0
   */
  public ControllerBuilder listing(VolumeListing listing) {
    handlers.unary(Rpc.LIST_VOLUMES, listing::listVolumes);
    capabilities.add(Type.LIST_VOLUMES);
    return this;
  }

  /**
   * GET_VOLUME.
   *
   * @since 0.1.0
   */
  public ControllerBuilder lookup(VolumeLookup lookup) {
    handlers.unary(Rpc.CONTROLLER_GET_VOLUME, lookup::controllerGetVolume);
    capabilities.add(Type.GET_VOLUME);
    return this;
  }

  /**
   * PUBLISH_UNPUBLISH_VOLUME.
   *
   * @since 0.1.0
   */
  public ControllerBuilder attachments(Attachments attachments) {
    handlers
        .unary(Rpc.CONTROLLER_PUBLISH_VOLUME, attachments::controllerPublishVolume)
        .unary(Rpc.CONTROLLER_UNPUBLISH_VOLUME, attachments::controllerUnpublishVolume);
    capabilities.add(Type.PUBLISH_UNPUBLISH_VOLUME);
    return this;
  }

  /**
   * GET_CAPACITY.
   *
   * @since 0.1.0
   */
  public ControllerBuilder capacity(Capacity capacity) {
    handlers.unary(Rpc.GET_CAPACITY, capacity::getCapacity);
    capabilities.add(Type.GET_CAPACITY);
    return this;
  }

  /**
   * CREATE_DELETE_SNAPSHOT: the volume handler must take snapshots as a content source too.
   *
   * @since 0.1.0
   */
  public ControllerBuilder snapshots(Snapshots snapshots) {
    handlers
        .unary(Rpc.CREATE_SNAPSHOT, snapshots::createSnapshot)
        .unary(Rpc.DELETE_SNAPSHOT, snapshots::deleteSnapshot);
    capabilities.add(Type.CREATE_DELETE_SNAPSHOT);
    return this;
  }

  /**
   * LIST_SNAPSHOTS.
   *
   * @since 0.1.0
   */
  public ControllerBuilder snapshotListing(SnapshotListing listing) {
    handlers.unary(Rpc.LIST_SNAPSHOTS, listing::listSnapshots);
    capabilities.add(Type.LIST_SNAPSHOTS);
    return this;
  }

  /**
   * GET_SNAPSHOT.
   *
   * @since 0.1.0
   */
  public ControllerBuilder snapshotLookup(SnapshotLookup lookup) {
    handlers.unary(Rpc.GET_SNAPSHOT, lookup::getSnapshot);
    capabilities.add(Type.GET_SNAPSHOT);
    return this;
  }

  /**
   * EXPAND_VOLUME of the controller. {@link CsiDriver.Builder#volumeExpansion} says whether volumes
   * in use can grow.
   *
   * @since 0.1.0
   */
  public ControllerBuilder expansion(ControllerExpansion expansion) {
    handlers.unary(Rpc.CONTROLLER_EXPAND_VOLUME, expansion::controllerExpandVolume);
    capabilities.add(Type.EXPAND_VOLUME);
    return this;
  }

  /**
   * MODIFY_VOLUME: the volume handler must take mutable parameters too.
   *
   * @since 0.1.0
   */
  public ControllerBuilder modification(VolumeModification modification) {
    handlers.unary(Rpc.CONTROLLER_MODIFY_VOLUME, modification::controllerModifyVolume);
    capabilities.add(Type.MODIFY_VOLUME);
    return this;
  }

  /**
   * Health of volumes: VOLUME_CONDITION towards callers of CSI 1.12, GET_VOLUME_HEALTH and
   * LIST_VOLUME_HEALTH towards those of 1.13. The framework fills the condition into the answers of
   * ListVolumes and ControllerGetVolume.
   *
   * @since 0.1.0
   */
  public ControllerBuilder health(ControllerHealth controllerHealth) {
    handlers
        .unary(Rpc.CONTROLLER_GET_VOLUME_HEALTH, controllerHealth::controllerGetVolumeHealth)
        .unary(Rpc.CONTROLLER_LIST_VOLUME_HEALTH, controllerHealth::controllerListVolumeHealth);
    capabilities.add(Type.GET_VOLUME_HEALTH);
    capabilities.add(Type.LIST_VOLUME_HEALTH);
    health = controllerHealth;
    return this;
  }

  /**
   * CLONE_VOLUME: the volume handler takes a volume as content source.
   *
   * @since 0.1.0
   */
  public ControllerBuilder cloning() {
    capabilities.add(Type.CLONE_VOLUME);
    return this;
  }

  /**
   * PUBLISH_READONLY: the attachment handler honours {@code readonly}.
   *
   * @since 0.1.0
   */
  public ControllerBuilder publishReadonly() {
    capabilities.add(Type.PUBLISH_READONLY);
    return this;
  }

  /**
   * LIST_VOLUMES_PUBLISHED_NODES: listings and look-ups say which nodes a volume is attached to.
   * The attacher detaches and attaches by that list, so it must be complete.
   *
   * @since 0.1.0
   */
  public ControllerBuilder publishedNodes() {
    capabilities.add(Type.LIST_VOLUMES_PUBLISHED_NODES);
    return this;
  }

  /**
   * SINGLE_NODE_MULTI_WRITER: the modes SINGLE_NODE_SINGLE_WRITER and SINGLE_NODE_MULTI_WRITER are
   * understood. The node must say the same.
   *
   * @since 0.1.0
   */
  public ControllerBuilder singleNodeMultiWriter() {
    capabilities.add(Type.SINGLE_NODE_MULTI_WRITER);
    return this;
  }

  /**
   * VOLUME_ACCESSIBILITY_CONSTRAINTS: accessibility requirements are honoured and volumes say where
   * they can be reached. The node must report its topology, but not in a process of {@link
   * Mode#CONTROLLER}, which may stand anywhere. A controller that creates no volumes may have it
   * too, if it lists them or looks them up.
   *
   * @since 0.1.0
   */
  public ControllerBuilder topology() {
    topology = true;
    return this;
  }

  /**
   * SNAPSHOT_ACCESSIBILITY_CONSTRAINTS of CSI 1.13: the same for snapshots.
   *
   * @since 0.1.0
   */
  public ControllerBuilder snapshotTopology() {
    snapshotTopology = true;
    return this;
  }

  Handlers handlers() {
    return handlers;
  }

  Set<Type> capabilities() {
    return capabilities;
  }

  boolean honoursTopology() {
    return topology;
  }

  boolean honoursSnapshotTopology() {
    return snapshotTopology;
  }

  Optional<ControllerHealth> health() {
    return Optional.ofNullable(health);
  }
}
