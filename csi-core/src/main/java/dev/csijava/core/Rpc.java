package dev.csijava.core;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.MethodDescriptor;

/** The 36 RPCs of CSI 1.12 and 1.13, in the order of the specification. */
enum Rpc {
  GET_PLUGIN_INFO(IdentityGrpc.getGetPluginInfoMethod(), Effect.IDENTITY, ""),
  GET_PLUGIN_CAPABILITIES(IdentityGrpc.getGetPluginCapabilitiesMethod(), Effect.IDENTITY, ""),
  PROBE(IdentityGrpc.getProbeMethod(), Effect.IDENTITY, ""),

  CREATE_VOLUME(
      ControllerGrpc.getCreateVolumeMethod(), Effect.CREATES, "controller CREATE_DELETE_VOLUME"),
  DELETE_VOLUME(
      ControllerGrpc.getDeleteVolumeMethod(), Effect.MUTATES, "controller CREATE_DELETE_VOLUME"),
  CONTROLLER_PUBLISH_VOLUME(
      ControllerGrpc.getControllerPublishVolumeMethod(),
      Effect.MUTATES,
      "controller PUBLISH_UNPUBLISH_VOLUME"),
  CONTROLLER_UNPUBLISH_VOLUME(
      ControllerGrpc.getControllerUnpublishVolumeMethod(),
      Effect.MUTATES,
      "controller PUBLISH_UNPUBLISH_VOLUME"),
  VALIDATE_VOLUME_CAPABILITIES(
      ControllerGrpc.getValidateVolumeCapabilitiesMethod(),
      Effect.READS,
      "plugin CONTROLLER_SERVICE"),
  LIST_VOLUMES(ControllerGrpc.getListVolumesMethod(), Effect.READS, "controller LIST_VOLUMES"),
  CONTROLLER_LIST_VOLUME_HEALTH(
      ControllerGrpc.getControllerListVolumeHealthMethod(),
      Effect.READS_STORAGE,
      "controller LIST_VOLUME_HEALTH"),
  CONTROLLER_GET_VOLUME_HEALTH(
      ControllerGrpc.getControllerGetVolumeHealthMethod(),
      Effect.READS_STORAGE,
      "controller GET_VOLUME_HEALTH"),
  GET_CAPACITY(ControllerGrpc.getGetCapacityMethod(), Effect.READS, "controller GET_CAPACITY"),
  CONTROLLER_GET_CAPABILITIES(
      ControllerGrpc.getControllerGetCapabilitiesMethod(),
      Effect.IDENTITY,
      "plugin CONTROLLER_SERVICE"),
  CREATE_SNAPSHOT(
      ControllerGrpc.getCreateSnapshotMethod(),
      Effect.CREATES,
      "controller CREATE_DELETE_SNAPSHOT"),
  DELETE_SNAPSHOT(
      ControllerGrpc.getDeleteSnapshotMethod(),
      Effect.MUTATES,
      "controller CREATE_DELETE_SNAPSHOT"),
  LIST_SNAPSHOTS(
      ControllerGrpc.getListSnapshotsMethod(), Effect.READS, "controller LIST_SNAPSHOTS"),
  GET_SNAPSHOT(ControllerGrpc.getGetSnapshotMethod(), Effect.READS, "controller GET_SNAPSHOT"),
  CONTROLLER_EXPAND_VOLUME(
      ControllerGrpc.getControllerExpandVolumeMethod(), Effect.MUTATES, "controller EXPAND_VOLUME"),
  CONTROLLER_GET_VOLUME(
      ControllerGrpc.getControllerGetVolumeMethod(), Effect.READS, "controller GET_VOLUME"),
  CONTROLLER_MODIFY_VOLUME(
      ControllerGrpc.getControllerModifyVolumeMethod(), Effect.MUTATES, "controller MODIFY_VOLUME"),

  GROUP_CONTROLLER_GET_CAPABILITIES(
      GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
      Effect.IDENTITY,
      "plugin GROUP_CONTROLLER_SERVICE"),
  CREATE_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
      Effect.CREATES,
      "group CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
  DELETE_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
      Effect.MUTATES,
      "group CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
  GET_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
      Effect.READS,
      "group CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),

  GET_METADATA_ALLOCATED(
      SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(),
      Effect.READS,
      "plugin SNAPSHOT_METADATA_SERVICE"),
  GET_METADATA_DELTA(
      SnapshotMetadataGrpc.getGetMetadataDeltaMethod(),
      Effect.READS,
      "plugin SNAPSHOT_METADATA_SERVICE"),

  NODE_STAGE_VOLUME(
      NodeGrpc.getNodeStageVolumeMethod(), Effect.MUTATES, "node STAGE_UNSTAGE_VOLUME"),
  NODE_UNSTAGE_VOLUME(
      NodeGrpc.getNodeUnstageVolumeMethod(), Effect.MUTATES, "node STAGE_UNSTAGE_VOLUME"),
  NODE_PUBLISH_VOLUME(NodeGrpc.getNodePublishVolumeMethod(), Effect.MUTATES, "a Node service"),
  NODE_UNPUBLISH_VOLUME(NodeGrpc.getNodeUnpublishVolumeMethod(), Effect.MUTATES, "a Node service"),
  NODE_GET_VOLUME_STATS(
      NodeGrpc.getNodeGetVolumeStatsMethod(), Effect.READS_STORAGE, "node GET_VOLUME_STATS"),
  NODE_GET_VOLUME_HEALTH(
      NodeGrpc.getNodeGetVolumeHealthMethod(), Effect.READS_STORAGE, "node GET_VOLUME_HEALTH"),
  NODE_GET_STORAGE_HEALTH(
      NodeGrpc.getNodeGetStorageHealthMethod(), Effect.READS_STORAGE, "node GET_STORAGE_HEALTH"),
  NODE_EXPAND_VOLUME(NodeGrpc.getNodeExpandVolumeMethod(), Effect.MUTATES, "node EXPAND_VOLUME"),
  NODE_GET_CAPABILITIES(NodeGrpc.getNodeGetCapabilitiesMethod(), Effect.IDENTITY, "a Node service"),
  NODE_GET_INFO(NodeGrpc.getNodeGetInfoMethod(), Effect.IDENTITY, "a Node service");

  /** What a call does to the world, which decides its thread, its locks and its error codes. */
  enum Effect {
    /** Answered by the framework from what was registered. */
    IDENTITY,
    /** Changes nothing. */
    READS,
    /** Changes nothing, but asks a mounted volume or a back end, which may hang for ever. */
    READS_STORAGE,
    /** Makes volumes or snapshots, which takes as long as copying a volume does. */
    CREATES,
    /** Changes volumes, snapshots or mounts. */
    MUTATES
  }

  @SuppressWarnings("ImmutableEnumChecker") // a method descriptor does not change
  private final MethodDescriptor<? extends Message, ? extends Message> method;

  private final Effect effect;
  private final String capability;

  Rpc(
      MethodDescriptor<? extends Message, ? extends Message> method,
      Effect effect,
      String capability) {
    this.method = method;
    this.effect = effect;
    this.capability = capability;
  }

  MethodDescriptor<? extends Message, ? extends Message> method() {
    return method;
  }

  /** As the specification writes it, for example {@code NodeStageVolume}. */
  String title() {
    String bare = method.getBareMethodName();
    return bare == null ? name() : bare;
  }

  String service() {
    String service = method.getServiceName();
    return service == null ? "" : service;
  }

  Effect effect() {
    return effect;
  }

  boolean mutates() {
    return effect == Effect.MUTATES || effect == Effect.CREATES;
  }

  boolean streams() {
    return !method.getType().serverSendsOneMessage();
  }

  /** What must be registered for the RPC to be served, for the sentence of a refusal. */
  String capability() {
    return capability;
  }
}
