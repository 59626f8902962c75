package dev.csijava.core.operation;

import static dev.csijava.core.operation.LockKey.Facet.GROUP;
import static dev.csijava.core.operation.LockKey.Facet.GROUP_NAME;
import static dev.csijava.core.operation.LockKey.Facet.PATH;
import static dev.csijava.core.operation.LockKey.Facet.SNAPSHOT;
import static dev.csijava.core.operation.LockKey.Facet.SNAPSHOT_NAME;
import static dev.csijava.core.operation.LockKey.Facet.VOLUME_ATTACHMENT;
import static dev.csijava.core.operation.LockKey.Facet.VOLUME_ATTRIBUTES;
import static dev.csijava.core.operation.LockKey.Facet.VOLUME_DATA;
import static dev.csijava.core.operation.LockKey.Facet.VOLUME_NAME;
import static dev.csijava.core.operation.LockKey.Facet.VOLUME_NODE;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerExpandVolumeRequest;
import dev.csijava.spec.v1.ControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ControllerGetVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerGetVolumeRequest;
import dev.csijava.spec.v1.ControllerListVolumeHealthRequest;
import dev.csijava.spec.v1.ControllerModifyVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.GetCapacityRequest;
import dev.csijava.spec.v1.GetMetadataAllocatedRequest;
import dev.csijava.spec.v1.GetMetadataDeltaRequest;
import dev.csijava.spec.v1.GetPluginCapabilitiesRequest;
import dev.csijava.spec.v1.GetPluginInfoRequest;
import dev.csijava.spec.v1.GetSnapshotRequest;
import dev.csijava.spec.v1.GetVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.GroupControllerGetCapabilitiesRequest;
import dev.csijava.spec.v1.ListSnapshotsRequest;
import dev.csijava.spec.v1.ListVolumesRequest;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeGetCapabilitiesRequest;
import dev.csijava.spec.v1.NodeGetInfoRequest;
import dev.csijava.spec.v1.NodeGetStorageHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.ProbeRequest;
import dev.csijava.spec.v1.ValidateVolumeCapabilitiesRequest;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;

/** The one table: request type to what the call locks. Every RPC has a row. */
final class KeyTable {
  private static final String EPHEMERAL = "csi.storage.k8s.io/ephemeral";

  private static final Map<Class<?>, BiConsumer<Message, OperationKeys.Builder>> ROWS =
      new HashMap<>();

  static {
    row(
        CreateVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_NAME, request.getName())
                .shared(SNAPSHOT, request.getVolumeContentSource().getSnapshot().getSnapshotId())
                .shared(VOLUME_DATA, request.getVolumeContentSource().getVolume().getVolumeId()));
    row(
        DeleteVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_DATA, request.getVolumeId())
                .exclusive(VOLUME_NODE, request.getVolumeId())
                .exclusive(VOLUME_ATTACHMENT, request.getVolumeId())
                .exclusive(VOLUME_ATTRIBUTES, request.getVolumeId()));
    row(
        ControllerPublishVolumeRequest.class,
        (request, keys) -> keys.exclusive(VOLUME_ATTACHMENT, request.getVolumeId()));
    row(
        ControllerUnpublishVolumeRequest.class,
        (request, keys) -> keys.exclusive(VOLUME_ATTACHMENT, request.getVolumeId()));
    row(
        ControllerModifyVolumeRequest.class,
        (request, keys) -> keys.exclusive(VOLUME_ATTRIBUTES, request.getVolumeId()));
    // Attachment too: a driver that grows only what is detached must be able to rely on it.
    row(
        ControllerExpandVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_DATA, request.getVolumeId())
                .exclusive(VOLUME_NODE, request.getVolumeId())
                .shared(VOLUME_ATTACHMENT, request.getVolumeId()));

    row(
        CreateSnapshotRequest.class,
        (request, keys) ->
            keys.exclusive(SNAPSHOT_NAME, request.getName())
                .shared(VOLUME_DATA, request.getSourceVolumeId()));
    row(
        DeleteSnapshotRequest.class,
        (request, keys) -> keys.exclusive(SNAPSHOT, request.getSnapshotId()));
    row(
        CreateVolumeGroupSnapshotRequest.class,
        (request, keys) -> {
          keys.exclusive(GROUP_NAME, request.getName());
          request.getSourceVolumeIdsList().forEach(id -> keys.shared(VOLUME_DATA, id));
        });
    row(
        DeleteVolumeGroupSnapshotRequest.class,
        (request, keys) -> {
          keys.exclusive(GROUP, request.getGroupSnapshotId());
          request.getSnapshotIdsList().forEach(id -> keys.exclusive(SNAPSHOT, id));
        });

    row(
        NodeStageVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_NODE, request.getVolumeId())
                .exclusive(PATH, path(request.getStagingTargetPath())));
    row(
        NodeUnstageVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_NODE, request.getVolumeId())
                .exclusive(PATH, path(request.getStagingTargetPath())));
    row(NodePublishVolumeRequest.class, KeyTable::publish);
    row(
        NodeUnpublishVolumeRequest.class,
        (request, keys) ->
            keys.shared(VOLUME_NODE, request.getVolumeId())
                .exclusive(PATH, path(request.getTargetPath())));
    row(
        NodeExpandVolumeRequest.class,
        (request, keys) ->
            keys.exclusive(VOLUME_DATA, request.getVolumeId())
                .exclusive(VOLUME_NODE, request.getVolumeId()));

    // Reads that go to a volume or a back end which may hang: one call hangs, the others join it.
    joined(NodeGetVolumeStatsRequest.class);
    joined(NodeGetVolumeHealthRequest.class);
    joined(NodeGetStorageHealthRequest.class);
    joined(ControllerGetVolumeHealthRequest.class);

    alone(GetPluginInfoRequest.class);
    alone(GetPluginCapabilitiesRequest.class);
    alone(ProbeRequest.class);
    alone(ValidateVolumeCapabilitiesRequest.class);
    alone(ListVolumesRequest.class);
    alone(ControllerListVolumeHealthRequest.class);
    alone(ControllerGetVolumeRequest.class);
    alone(GetCapacityRequest.class);
    alone(ControllerGetCapabilitiesRequest.class);
    alone(ListSnapshotsRequest.class);
    alone(GetSnapshotRequest.class);
    alone(GroupControllerGetCapabilitiesRequest.class);
    alone(GetVolumeGroupSnapshotRequest.class);
    alone(GetMetadataAllocatedRequest.class);
    alone(GetMetadataDeltaRequest.class);
    alone(NodeGetCapabilitiesRequest.class);
    alone(NodeGetInfoRequest.class);
  }

  private KeyTable() {}

  static OperationKeys keysOf(Message request) {
    BiConsumer<Message, OperationKeys.Builder> row = ROWS.get(request.getClass());
    String type = request.getDescriptorForType().getName();
    if (row == null) {
      throw new IllegalArgumentException(type + " is not a request of CSI");
    }
    OperationKeys.Builder keys =
        new OperationKeys.Builder(type.substring(0, type.length() - "Request".length()));
    row.accept(request, keys);
    return keys.build();
  }

  /**
   * Publications go side by side, at different targets. Two kinds do not: where the access mode
   * allows one target only, the check for others must see what the call before it did; and an
   * inline volume is made by its publication.
   */
  private static void publish(NodePublishVolumeRequest request, OperationKeys.Builder keys) {
    boolean alone =
        switch (request.getVolumeCapability().getAccessMode().getMode()) {
          case SINGLE_NODE_WRITER, SINGLE_NODE_SINGLE_WRITER -> true;
          default -> "true".equals(request.getVolumeContextMap().get(EPHEMERAL));
        };
    if (alone) {
      keys.exclusive(VOLUME_NODE, request.getVolumeId());
    } else {
      keys.shared(VOLUME_NODE, request.getVolumeId());
    }
    keys.exclusive(PATH, path(request.getTargetPath()))
        .shared(PATH, path(request.getStagingTargetPath()));
  }

  /** One spelling for {@code /a/b}, {@code /a//b} and {@code /a/b/}; links are not looked at. */
  private static String path(String path) {
    if (!path.contains("//") && !path.endsWith("/")) {
      return path;
    }
    String single = path.replaceAll("/+", "/");
    return single.length() > 1 && single.endsWith("/")
        ? single.substring(0, single.length() - 1)
        : single;
  }

  private static <R extends Message> void row(
      Class<R> type, BiConsumer<R, OperationKeys.Builder> keys) {
    ROWS.put(type, (request, builder) -> keys.accept(type.cast(request), builder));
  }

  private static void joined(Class<? extends Message> type) {
    row(type, (request, keys) -> keys.joined());
  }

  private static void alone(Class<? extends Message> type) {
    row(type, (request, keys) -> {});
  }
}
