package dev.csijava.testkit.conformance;

import com.google.protobuf.Message;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.CreateSnapshotRequest;
import dev.csijava.spec.v1.CreateSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.CreateVolumeGroupSnapshotResponse;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.CreateVolumeResponse;
import dev.csijava.spec.v1.DeleteSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeGroupSnapshotRequest;
import dev.csijava.spec.v1.DeleteVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.Snapshot;
import dev.csijava.spec.v1.VolumeGroupSnapshot;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads off the calls themselves what a case made, so that no case can forget to remove it: also
 * what a driver made in a call that it should have refused, and what a call without a known end may
 * have made.
 */
final class Ledger {
  private static final int PASSES = 5;
  private static final long PAUSE_MILLIS = 200;

  private static final Set<Status.Code> NOTHING_THERE =
      Set.of(Status.Code.NOT_FOUND, Status.Code.UNIMPLEMENTED);

  private final Map<String, Undo> made = new LinkedHashMap<>();

  /** One call that takes something back; what it throws is said where it stays in vain. */
  @FunctionalInterface
  interface Undo {
    void with(Stubs stubs);
  }

  synchronized void observe(Message request, List<Message> responses, Status status) {
    boolean unknown = uncertain(status.getCode());
    if (request instanceof NodePublishVolumeRequest r && (status.isOk() || unknown)) {
      if (!r.getStagingTargetPath().isEmpty()) {
        // A driver may stage again by itself what was lost.
        put("staging " + r.getStagingTargetPath(), s -> s.node().nodeUnstageVolume(unstage(r)));
      }
      put("target " + r.getTargetPath(), s -> s.node().nodeUnpublishVolume(unpublish(r)));
    } else if (request instanceof NodeStageVolumeRequest r && (status.isOk() || unknown)) {
      put("staging " + r.getStagingTargetPath(), s -> s.node().nodeUnstageVolume(unstage(r)));
    } else if (request instanceof ControllerPublishVolumeRequest r && (status.isOk() || unknown)) {
      put(
          attached(r.getVolumeId(), r.getNodeId()),
          s -> s.controller().controllerUnpublishVolume(detach(r)));
    } else if (unknown) {
      repeat(request);
    } else if (status.isOk() && !responses.isEmpty()) {
      created(request, responses.get(0));
      removed(request);
    } else if (status.isOk()) {
      removed(request);
    }
  }

  private static boolean uncertain(Status.Code code) {
    return switch (code) {
      case DEADLINE_EXCEEDED, CANCELLED, UNAVAILABLE, UNKNOWN, INTERNAL -> true;
      default -> false;
    };
  }

  private void put(String what, Undo undo) {
    made.putIfAbsent(what, undo);
  }

  /** Nobody knows whether it was made: the same call tells, and its answer is entered here. */
  private void repeat(Message request) {
    if (request instanceof CreateVolumeRequest r) {
      put("perhaps volume " + r.getName(), s -> s.controller().createVolume(r));
    } else if (request instanceof CreateSnapshotRequest r) {
      put("perhaps snapshot " + r.getName(), s -> s.controller().createSnapshot(r));
    } else if (request instanceof CreateVolumeGroupSnapshotRequest r) {
      put("perhaps group " + r.getName(), s -> s.group().createVolumeGroupSnapshot(r));
    }
  }

  private void created(Message request, Message response) {
    if (response instanceof CreateVolumeResponse r && !r.getVolume().getVolumeId().isEmpty()) {
      String id = r.getVolume().getVolumeId();
      made.remove("perhaps volume " + ((CreateVolumeRequest) request).getName());
      put(
          "volume " + id,
          s ->
              s.controller()
                  .deleteVolume(DeleteVolumeRequest.newBuilder().setVolumeId(id).build()));
    } else if (response instanceof CreateSnapshotResponse r
        && !r.getSnapshot().getSnapshotId().isEmpty()) {
      String id = r.getSnapshot().getSnapshotId();
      made.remove("perhaps snapshot " + ((CreateSnapshotRequest) request).getName());
      put(
          "snapshot " + id,
          s ->
              s.controller()
                  .deleteSnapshot(DeleteSnapshotRequest.newBuilder().setSnapshotId(id).build()));
    } else if (response instanceof CreateVolumeGroupSnapshotResponse r
        && !r.getGroupSnapshot().getGroupSnapshotId().isEmpty()) {
      VolumeGroupSnapshot group = r.getGroupSnapshot();
      made.remove("perhaps group " + ((CreateVolumeGroupSnapshotRequest) request).getName());
      put(
          "group " + group.getGroupSnapshotId(),
          s -> s.group().deleteVolumeGroupSnapshot(delete(group)));
    }
  }

  private void removed(Message request) {
    if (request instanceof DeleteVolumeRequest r) {
      made.remove("volume " + r.getVolumeId());
    } else if (request instanceof DeleteSnapshotRequest r) {
      made.remove("snapshot " + r.getSnapshotId());
    } else if (request instanceof DeleteVolumeGroupSnapshotRequest r) {
      made.remove("group " + r.getGroupSnapshotId());
    } else if (request instanceof NodeUnpublishVolumeRequest r) {
      made.remove("target " + r.getTargetPath());
    } else if (request instanceof NodeUnstageVolumeRequest r) {
      made.remove("staging " + r.getStagingTargetPath());
    } else if (request instanceof ControllerUnpublishVolumeRequest r) {
      if (r.getNodeId().isEmpty()) {
        made.keySet().removeIf(key -> key.startsWith(attached(r.getVolumeId(), "")));
      } else {
        made.remove(attached(r.getVolumeId(), r.getNodeId()));
      }
    }
  }

  private static String attached(String volume, String node) {
    return "attachment of " + volume + " to " + node;
  }

  private static NodeUnpublishVolumeRequest unpublish(NodePublishVolumeRequest r) {
    return NodeUnpublishVolumeRequest.newBuilder()
        .setVolumeId(r.getVolumeId())
        .setTargetPath(r.getTargetPath())
        .build();
  }

  private static NodeUnstageVolumeRequest unstage(NodeStageVolumeRequest r) {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId(r.getVolumeId())
        .setStagingTargetPath(r.getStagingTargetPath())
        .build();
  }

  private static NodeUnstageVolumeRequest unstage(NodePublishVolumeRequest r) {
    return NodeUnstageVolumeRequest.newBuilder()
        .setVolumeId(r.getVolumeId())
        .setStagingTargetPath(r.getStagingTargetPath())
        .build();
  }

  private static ControllerUnpublishVolumeRequest detach(ControllerPublishVolumeRequest r) {
    return ControllerUnpublishVolumeRequest.newBuilder()
        .setVolumeId(r.getVolumeId())
        .setNodeId(r.getNodeId())
        .build();
  }

  private static DeleteVolumeGroupSnapshotRequest delete(VolumeGroupSnapshot group) {
    return DeleteVolumeGroupSnapshotRequest.newBuilder()
        .setGroupSnapshotId(group.getGroupSnapshotId())
        .addAllSnapshotIds(group.getSnapshotsList().stream().map(Snapshot::getSnapshotId).toList())
        .build();
  }

  /**
   * Takes everything back, the last first, several times over what stays.
   *
   * @param stubs whose calls this ledger observes, so that what is gone vanishes from it
   * @return what stays, one sentence each
   */
  List<String> undo(Stubs stubs) {
    List<String> left = List.of();
    for (int pass = 0; pass < PASSES; pass++) {
      left = undoOnce(stubs);
      if (left.isEmpty()) {
        return left;
      }
      if (!pause()) {
        return left;
      }
    }
    return left;
  }

  private List<String> undoOnce(Stubs stubs) {
    List<Map.Entry<String, Undo>> entries;
    synchronized (this) {
      entries = new ArrayList<>(List.copyOf(made.entrySet()));
    }
    Collections.reverse(entries);
    List<String> left = new ArrayList<>();
    for (Map.Entry<String, Undo> entry : entries) {
      Outcome<Boolean> outcome =
          Outcome.of(
              () -> {
                entry.getValue().with(stubs);
                return true;
              });
      boolean settled = outcome.ok() || NOTHING_THERE.contains(outcome.code());
      if (settled || (entry.getKey().startsWith("perhaps") && !uncertain(outcome.code()))) {
        synchronized (this) {
          made.remove(entry.getKey());
        }
      } else {
        left.add(entry.getKey() + " could not be removed: " + outcome);
      }
    }
    synchronized (this) {
      if (left.isEmpty() && !made.isEmpty()) {
        left.add(String.join(", ", made.keySet()));
      }
    }
    return left;
  }

  private static boolean pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
