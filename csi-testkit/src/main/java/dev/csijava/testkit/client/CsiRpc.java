package dev.csijava.testkit.client;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerGrpc;
import dev.csijava.spec.v1.GroupControllerGrpc;
import dev.csijava.spec.v1.IdentityGrpc;
import dev.csijava.spec.v1.NodeGrpc;
import dev.csijava.spec.v1.SnapshotMetadataGrpc;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.stub.ClientCalls;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The 36 RPCs of CSI 1.12 and 1.13, each with the capabilities that stand for it.
 *
 * @since 0.1.0
 */
public enum CsiRpc {
  /** Identity. */
  GET_PLUGIN_INFO(IdentityGrpc.getGetPluginInfoMethod()),
  /** Identity. */
  GET_PLUGIN_CAPABILITIES(IdentityGrpc.getGetPluginCapabilitiesMethod()),
  /** Identity. */
  PROBE(IdentityGrpc.getProbeMethod()),

  /** Controller. */
  CREATE_VOLUME(ControllerGrpc.getCreateVolumeMethod(), "ctrl:CREATE_DELETE_VOLUME"),
  /** Controller. */
  DELETE_VOLUME(ControllerGrpc.getDeleteVolumeMethod(), "ctrl:CREATE_DELETE_VOLUME"),
  /** Controller. */
  CONTROLLER_PUBLISH_VOLUME(
      ControllerGrpc.getControllerPublishVolumeMethod(), "ctrl:PUBLISH_UNPUBLISH_VOLUME"),
  /** Controller. */
  CONTROLLER_UNPUBLISH_VOLUME(
      ControllerGrpc.getControllerUnpublishVolumeMethod(), "ctrl:PUBLISH_UNPUBLISH_VOLUME"),
  /** Controller. */
  VALIDATE_VOLUME_CAPABILITIES(
      ControllerGrpc.getValidateVolumeCapabilitiesMethod(), "plugin:CONTROLLER_SERVICE"),
  /** Controller. */
  LIST_VOLUMES(ControllerGrpc.getListVolumesMethod(), "ctrl:LIST_VOLUMES"),
  /** Controller; 1.13. */
  CONTROLLER_LIST_VOLUME_HEALTH(
      ControllerGrpc.getControllerListVolumeHealthMethod(), "ctrl:LIST_VOLUME_HEALTH"),
  /** Controller; 1.13. */
  CONTROLLER_GET_VOLUME_HEALTH(
      ControllerGrpc.getControllerGetVolumeHealthMethod(), "ctrl:GET_VOLUME_HEALTH"),
  /** Controller. */
  GET_CAPACITY(ControllerGrpc.getGetCapacityMethod(), "ctrl:GET_CAPACITY"),
  /** Controller. */
  CONTROLLER_GET_CAPABILITIES(
      ControllerGrpc.getControllerGetCapabilitiesMethod(), "plugin:CONTROLLER_SERVICE"),
  /** Controller. */
  CREATE_SNAPSHOT(ControllerGrpc.getCreateSnapshotMethod(), "ctrl:CREATE_DELETE_SNAPSHOT"),
  /** Controller. */
  DELETE_SNAPSHOT(ControllerGrpc.getDeleteSnapshotMethod(), "ctrl:CREATE_DELETE_SNAPSHOT"),
  /** Controller. */
  LIST_SNAPSHOTS(ControllerGrpc.getListSnapshotsMethod(), "ctrl:LIST_SNAPSHOTS"),
  /** Controller. */
  GET_SNAPSHOT(ControllerGrpc.getGetSnapshotMethod(), "ctrl:GET_SNAPSHOT"),
  /** Controller. */
  CONTROLLER_EXPAND_VOLUME(ControllerGrpc.getControllerExpandVolumeMethod(), "ctrl:EXPAND_VOLUME"),
  /** Controller. */
  CONTROLLER_GET_VOLUME(ControllerGrpc.getControllerGetVolumeMethod(), "ctrl:GET_VOLUME"),
  /** Controller. */
  CONTROLLER_MODIFY_VOLUME(ControllerGrpc.getControllerModifyVolumeMethod(), "ctrl:MODIFY_VOLUME"),

  /** GroupController. */
  GROUP_CONTROLLER_GET_CAPABILITIES(
      GroupControllerGrpc.getGroupControllerGetCapabilitiesMethod(),
      "plugin:GROUP_CONTROLLER_SERVICE"),
  /** GroupController. */
  CREATE_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getCreateVolumeGroupSnapshotMethod(),
      "group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
  /** GroupController. */
  DELETE_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getDeleteVolumeGroupSnapshotMethod(),
      "group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),
  /** GroupController. */
  GET_VOLUME_GROUP_SNAPSHOT(
      GroupControllerGrpc.getGetVolumeGroupSnapshotMethod(),
      "group:CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT"),

  /** SnapshotMetadata; streams. */
  GET_METADATA_ALLOCATED(
      SnapshotMetadataGrpc.getGetMetadataAllocatedMethod(), "plugin:SNAPSHOT_METADATA_SERVICE"),
  /** SnapshotMetadata; streams. */
  GET_METADATA_DELTA(
      SnapshotMetadataGrpc.getGetMetadataDeltaMethod(), "plugin:SNAPSHOT_METADATA_SERVICE"),

  /** Node. */
  NODE_STAGE_VOLUME(NodeGrpc.getNodeStageVolumeMethod(), "node:STAGE_UNSTAGE_VOLUME"),
  /** Node. */
  NODE_UNSTAGE_VOLUME(NodeGrpc.getNodeUnstageVolumeMethod(), "node:STAGE_UNSTAGE_VOLUME"),
  /** Node. */
  NODE_PUBLISH_VOLUME(NodeGrpc.getNodePublishVolumeMethod()),
  /** Node. */
  NODE_UNPUBLISH_VOLUME(NodeGrpc.getNodeUnpublishVolumeMethod()),
  /** Node. */
  NODE_GET_VOLUME_STATS(
      NodeGrpc.getNodeGetVolumeStatsMethod(), "node:GET_VOLUME_STATS", "node:VOLUME_CONDITION"),
  /** Node; 1.13. */
  NODE_GET_VOLUME_HEALTH(NodeGrpc.getNodeGetVolumeHealthMethod(), "node:GET_VOLUME_HEALTH"),
  /** Node; 1.13. */
  NODE_GET_STORAGE_HEALTH(NodeGrpc.getNodeGetStorageHealthMethod(), "node:GET_STORAGE_HEALTH"),
  /** Node. */
  NODE_EXPAND_VOLUME(NodeGrpc.getNodeExpandVolumeMethod(), "node:EXPAND_VOLUME"),
  /** Node. */
  NODE_GET_CAPABILITIES(NodeGrpc.getNodeGetCapabilitiesMethod()),
  /** Node. */
  NODE_GET_INFO(NodeGrpc.getNodeGetInfoMethod());

  @SuppressWarnings("ImmutableEnumChecker") // a method descriptor does not change
  private final MethodDescriptor<? extends Message, ? extends Message> method;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> gates;

  CsiRpc(MethodDescriptor<? extends Message, ? extends Message> method, String... gates) {
    this.method = method;
    this.gates = List.of(gates);
  }

  /**
   * The gRPC method.
   *
   * @since 0.1.0
   */
  public MethodDescriptor<? extends Message, ? extends Message> method() {
    return method;
  }

  /**
   * As the specification writes it, for example {@code NodeStageVolume}.
   *
   * @since 0.1.0
   */
  public String title() {
    String bare = method.getBareMethodName();
    return bare == null ? name() : bare;
  }

  /**
   * The short name of its service: Identity, Controller, GroupController, SnapshotMetadata, Node.
   *
   * @since 0.1.0
   */
  public String service() {
    String service = String.valueOf(method.getServiceName());
    return service.substring(service.lastIndexOf('.') + 1);
  }

  /**
   * The capabilities of which one must be advertised, as in {@code ctrl:LIST_VOLUMES}; empty for an
   * RPC that its service always serves.
   *
   * @since 0.1.0
   */
  public List<String> gates() {
    return gates;
  }

  /**
   * Whether the answer is a stream.
   *
   * @since 0.1.0
   */
  public boolean streams() {
    return !method.getType().serverSendsOneMessage();
  }

  /**
   * A request without any field.
   *
   * @since 0.1.0
   */
  public Message emptyRequest() {
    if (method.getRequestMarshaller() instanceof MethodDescriptor.PrototypeMarshaller<?> known
        && known.getMessagePrototype() instanceof Message prototype) {
      return prototype;
    }
    throw new IllegalStateException(title() + " has no request of protobuf");
  }

  /**
   * Calls and waits for the end.
   *
   * @return the answer; all messages of a stream, in order
   * @throws io.grpc.StatusRuntimeException if the driver refuses
   * @since 0.1.0
   */
  @SuppressWarnings("unchecked") // the caller's message has the type that the method takes
  public List<Message> call(Channel channel, Message request) {
    MethodDescriptor<Message, Message> typed = (MethodDescriptor<Message, Message>) method;
    List<Message> answers = new ArrayList<>();
    if (streams()) {
      ClientCalls.blockingServerStreamingCall(channel, typed, CallOptions.DEFAULT, request)
          .forEachRemaining(answers::add);
    } else {
      answers.add(ClientCalls.blockingUnaryCall(channel, typed, CallOptions.DEFAULT, request));
    }
    return answers;
  }

  /**
   * The RPC with this title, letter case aside.
   *
   * @since 0.1.0
   */
  public static Optional<CsiRpc> named(String title) {
    return Arrays.stream(values()).filter(rpc -> rpc.title().equalsIgnoreCase(title)).findFirst();
  }
}
