package dev.csijava.hostpath.node;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.PodInfo;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.hostpath.ephemeral.InlineVolumes;
import dev.csijava.hostpath.removal.Detachment;
import dev.csijava.hostpath.state.Record;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes inline volumes: without staging, for there is but one target, where the volume itself
 * is mounted.
 */
public final class InlinePublishing {
  private static final Logger log = LoggerFactory.getLogger(InlinePublishing.class);

  private final InlineVolumes inline;
  private final NodeVolumes volumes;
  private final StagedVolumes staged;
  private final Mounter mounter;
  private final Detachment detachment;

  /**
   * @param inline makes and deletes them
   */
  public InlinePublishing(
      InlineVolumes inline,
      NodeVolumes volumes,
      StagedVolumes staged,
      Mounter mounter,
      Detachment detachment) {
    this.inline = inline;
    this.volumes = volumes;
    this.staged = staged;
    this.mounter = mounter;
    this.detachment = detachment;
  }

  boolean isAskedFor(NodePublishVolumeRequest request) {
    return PodInfo.isEphemeral(request.getVolumeContextMap());
  }

  /** Ends with the volume at the target; if it fails, with nothing that it made. */
  void publish(NodePublishVolumeRequest request, TargetPath target) {
    if (request.getVolumeCapability().hasBlock()) {
      throw CsiException.invalidArgument("inline volumes have access type mount");
    }
    NodeCapabilities.requireServed(request.getVolumeCapability());
    inline.sweep();
    Optional<Record> found = inline.find(request.getVolumeId());
    Record volume = found.orElseGet(() -> inline.make(request, target.path()));
    boolean done = false;
    boolean made = false;
    try {
      made = target.createDirectory(mounter);
      staged.show(
          volume,
          target,
          NodeCapabilities.access(volume, request.getVolumeCapability())
              .readOnlyIf(request.getReadonly()));
      done = true;
    } finally {
      if (!done) {
        rollBack(volume, found.isEmpty(), target, made);
      }
    }
  }

  private void rollBack(Record volume, boolean madeVolume, TargetPath target, boolean madeTarget) {
    if (volumes.isMountPoint(target.path())) {
      return;
    }
    try {
      if (madeTarget) {
        detachment.removeTarget(target);
      }
      if (madeVolume) {
        boolean _ = inline.dropUnused(volume);
      }
    } catch (CsiException e) {
      log.warn("something of a publish that failed stays: {}", e.getMessage());
    }
  }

  /** Deletes the volume if it is an inline one, after it was taken from its target. */
  void unpublished(String volumeId) {
    inline
        .find(volumeId)
        .ifPresent(
            volume -> {
              boolean _ = inline.dropUnused(volume);
            });
  }
}
