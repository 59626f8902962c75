package dev.csijava.hostpath.attach;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.controller.Attachments;
import dev.csijava.hostpath.backing.BackingChoice;
import dev.csijava.hostpath.backing.VolumeUses;
import dev.csijava.hostpath.request.AccessRules;
import dev.csijava.hostpath.request.KnownFields;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.settings.AttachSettings;
import dev.csijava.hostpath.state.Attachment;
import dev.csijava.hostpath.state.Record;
import dev.csijava.hostpath.state.VolumeDetails;
import dev.csijava.hostpath.store.ObjectStore;
import dev.csijava.hostpath.store.RecordSelection;
import dev.csijava.spec.v1.ControllerPublishVolumeRequest;
import dev.csijava.spec.v1.ControllerPublishVolumeResponse;
import dev.csijava.spec.v1.ControllerUnpublishVolumeRequest;
import dev.csijava.spec.v1.ControllerUnpublishVolumeResponse;
import java.util.List;
import java.util.Optional;

/**
 * Attaches volumes to this node: an entry in the volume's record, on disk before the answer.
 * Nothing happens to the data, but only an attached volume can be staged.
 */
public final class HostpathAttachments implements Attachments {
  private final ObjectStore volumes;
  private final VolumeUses uses;
  private final RecordSelection attached;
  private final String nodeId;
  private final AttachSettings settings;

  /**
   * @param uses says who uses a volume on this node
   * @param nodeId the one node that is known, which is this one
   */
  public HostpathAttachments(
      ObjectStore volumes, VolumeUses uses, String nodeId, AttachSettings settings) {
    this.volumes = volumes;
    this.uses = uses;
    this.attached =
        new RecordSelection(volumes, volume -> AttachedNodes.on(volume, nodeId).isPresent());
    this.nodeId = nodeId;
    this.settings = settings;
  }

  @Override
  public ControllerPublishVolumeResponse controllerPublishVolume(
      ControllerPublishVolumeRequest request, CallContext call) {
    AccessRules.refusal(request.getVolumeCapability())
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument("volume_capability: " + why);
            });
    Record volume = volumes.require(request.getVolumeId());
    BackingChoice.refusal(volume, request.getVolumeCapability())
        .ifPresent(
            why -> {
              throw CsiException.invalidArgument("volume_capability: " + why);
            });
    if (!request.getNodeId().equals(nodeId)) {
      throw CsiException.notFound("there is no such node; this driver has node " + nodeId);
    }
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    Attachment wanted =
        Attachment.newBuilder()
            .setNodeId(nodeId)
            .setReadonly(request.getReadonly())
            .setCapability(KnownFields.only(request.getVolumeCapability()))
            .build();
    attach(volume.getId(), wanted);
    return ControllerPublishVolumeResponse.getDefaultInstance();
  }

  // One at a time: what is counted must not change before it is written.
  private synchronized void attach(String volumeId, Attachment wanted) {
    Record _ =
        volumes.update(
            volumeId,
            volume -> {
              if (AttachedNodes.on(volume, nodeId).isPresent()) {
                requireSame(AttachedNodes.on(volume, nodeId).get(), wanted);
                return volume;
              }
              requireFreeFor(volume, wanted);
              requireRoom();
              Record.Builder changed = volume.toBuilder();
              changed.getVolumeBuilder().addAttachments(wanted);
              return changed.build();
            });
  }

  private static void requireSame(Attachment attached, Attachment wanted) {
    if (attached.getReadonly() != wanted.getReadonly()) {
      throw CsiException.alreadyExists(
          "the volume is attached to this node with another value of readonly");
    }
    // What was taken over from another driver is attached in a way that nobody knows.
    if (attached.hasCapability() && !SameUse.is(attached.getCapability(), wanted.getCapability())) {
      throw CsiException.alreadyExists(
          "the volume is attached to this node with another volume_capability");
    }
  }

  private static void requireFreeFor(Record volume, Attachment wanted) {
    for (Attachment other : volume.getVolume().getAttachmentsList()) {
      if (!SameUse.allowsManyNodes(wanted.getCapability())
          || !SameUse.allowsManyNodes(other.getCapability())) {
        throw CsiException.failedPrecondition(
            "the volume is attached to node " + other.getNodeId() + "; detach it there first");
      }
    }
  }

  private void requireRoom() {
    settings
        .enforced()
        .ifPresent(
            limit -> {
              if (attached.size() >= limit) {
                throw CsiException.resourceExhausted(
                    "the node has its maximum of " + limit + " volumes; detach one first");
              }
            });
  }

  @Override
  public ControllerUnpublishVolumeResponse controllerUnpublishVolume(
      ControllerUnpublishVolumeRequest request, CallContext call) {
    // Unknown volumes and nodes are as detached as they can be: callers repeat this for ever.
    Optional<Record> found = volumes.byId(request.getVolumeId());
    if (found.isPresent()) {
      requireUnusedHere(found.get(), request.getNodeId());
      Record _ =
          volumes.update(request.getVolumeId(), volume -> detached(volume, request.getNodeId()));
    }
    return ControllerUnpublishVolumeResponse.getDefaultInstance();
  }

  /** Where that is asked for; of another node nothing is known. */
  private void requireUnusedHere(Record volume, String from) {
    if (settings.keptWhileUsed()
        && (from.isEmpty() || from.equals(nodeId))
        && AttachedNodes.on(volume, nodeId).isPresent()) {
      uses.requireNone(volume);
    }
  }

  private static Record detached(Record volume, String nodeId) {
    VolumeDetails details = volume.getVolume();
    List<Attachment> kept =
        details.getAttachmentsList().stream()
            .filter(attachment -> !nodeId.isEmpty() && !attachment.getNodeId().equals(nodeId))
            .toList();
    return volume.toBuilder()
        .setVolume(details.toBuilder().clearAttachments().addAllAttachments(kept))
        .build();
  }
}
