package dev.csijava.hostpath.node;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.hostpath.attach.AttachedNodes;
import dev.csijava.hostpath.backing.NodeAccess;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.request.VolumeContexts;
import dev.csijava.hostpath.state.Publication;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Binds a staged volume to the targets of pods, and takes it away from them. */
public final class HostpathPublishing implements Publishing {
  private static final Logger log = LoggerFactory.getLogger(HostpathPublishing.class);

  /** Many pods may start at once on one volume. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final NodeVolumes volumes;
  private final StagedVolumes staged;
  private final Publications publications;
  private final Mounter mounter;
  private final Detachment detachment;
  private final InlinePublishing inline;
  private final AttachedNodes attached;
  private final VolumeLocks locks = new VolumeLocks(PATIENCE);

  /**
   * @param mounter says what is mounted
   * @param detachment unmounts
   * @param inline publishes what a pod's own description asks for
   * @param attached what may be mounted here
   */
  public HostpathPublishing(
      NodeVolumes volumes,
      StagedVolumes staged,
      Publications publications,
      Mounter mounter,
      Detachment detachment,
      InlinePublishing inline,
      AttachedNodes attached) {
    this.volumes = volumes;
    this.staged = staged;
    this.publications = publications;
    this.mounter = mounter;
    this.detachment = detachment;
    this.inline = inline;
    this.attached = attached;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    if (inline.isAskedFor(request)) {
      inline.publish(request, target);
      return NodePublishVolumeResponse.getDefaultInstance();
    }
    NodeCapabilities.requireServed(request.getVolumeCapability());
    if (request.getStagingTargetPath().isEmpty()) {
      throw CsiException.failedPrecondition(
          "staging_target_path is missing: volumes are staged before they are published");
    }
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    if (staging.equals(target)) {
      throw CsiException.invalidArgument("target_path and staging_target_path are the same");
    }
    Record volume = volumes.require(request.getVolumeId());
    VolumeContexts.requireOwn(volume, request.getVolumeContextMap());
    NodeAccess access =
        attached.require(volume, NodeCapabilities.access(volume, request.getVolumeCapability()));
    NodeAccess wanted = access.readOnlyIf(request.getReadonly());
    // Calls for two targets run in parallel: what may be said of the other must not change between.
    try (VolumeLocks.Held _ = locks.take(volume.getId())) {
      if (!volumes.isShownAt(volume, target.path())) {
        SecondTarget.require(
            request.getVolumeCapability().getAccessMode().getMode(), others(volume, target));
      }
      staged.ensure(volume, staging, access, wanted.readOnly());
      publish(volume, staging, target, request, wanted);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private void publish(
      Record volume,
      TargetPath staging,
      TargetPath target,
      NodePublishVolumeRequest request,
      NodeAccess wanted) {
    boolean device = volumes.backing(volume).isDevice();
    boolean made = device ? target.createFile(mounter) : target.createDirectory(mounter);
    // What this call made is empty, and nothing is mounted at it.
    boolean mountedBefore = !made && volumes.isMountPoint(target.path());
    boolean done = false;
    try {
      if (!made && !mountedBefore) {
        EmptyTarget.require(device, target.path());
      }
      if (!mountedBefore) {
        publications.put(publication(volume, request));
      }
      volumes
          .backing(volume)
          .publish(volumes.backed(volume), staging.path(), target.path(), wanted);
      volumes.requireShownAt(volume, target.path());
      if (mountedBefore) {
        publications.put(publication(volume, request));
      }
      done = true;
    } finally {
      if (!done && !mountedBefore) {
        rollBack(target, made);
      }
    }
  }

  private static Publication publication(Record volume, NodePublishVolumeRequest request) {
    return Publication.newBuilder()
        .setVolumeId(volume.getId())
        .setFolder(volume.getFolder())
        .setTargetPath(request.getTargetPath())
        .setAccessMode(request.getVolumeCapability().getAccessMode().getMode())
        .setReadonly(request.getReadonly())
        .build();
  }

  /** Takes back only what this call made; the caller hears of the first error, not of these. */
  private void rollBack(TargetPath target, boolean made) {
    if (volumes.isMountPoint(target.path())) {
      return;
    }
    publications.remove(target.path().toString());
    if (made) {
      try {
        detachment.removeTarget(target);
      } catch (CsiException e) {
        log.warn("the directory {} of a publish that failed stays: {}", target, e.getMessage());
      }
    }
  }

  private List<Publication> others(Record volume, TargetPath target) {
    return publications.of(volume.getId()).stream()
        .filter(publication -> !publication.getTargetPath().equals(target.path().toString()))
        .filter(publication -> volumes.isShownAt(volume, Path.of(publication.getTargetPath())))
        .toList();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    if (volumes.isOursToTake(request.getVolumeId(), target.path())) {
      detachment.unpublish(target);
    } else {
      detachment.removeTarget(target);
    }
    publications.remove(target.path().toString());
    inline.unpublished(request.getVolumeId());
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }
}
