package dev.csijava.examples.existing;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.health.NodeHealth;
import dev.csijava.core.kubelet.KubernetesKeys;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.examples.existing.Disk.Kind;
import dev.csijava.spec.v1.NodeGetVolumeHealthRequest;
import dev.csijava.spec.v1.NodeGetVolumeHealthResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The node's side: what lies here already appears in a pod. */
final class ExistingNode implements Publishing, VolumeStats, NodeHealth {
  private final Mounter mounter = Mounter.system();
  private final Map<String, Object> locks = new ConcurrentHashMap<>();
  private final Discovery disks;
  private final Sizes sizes;
  private final Publications publications;

  ExistingNode(Discovery disks, Sizes sizes, Publications publications) {
    this.disks = disks;
    this.sizes = sizes;
    this.publications = publications;
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    Disk disk = disks.require(request.getVolumeId());
    requireNoContext(request.getVolumeContextMap());
    disk.refusal(request.getVolumeCapability())
        .ifPresent(
            why -> {
              throw CsiException.failedPrecondition("volume_capability: " + why);
            });
    Mode mode = request.getVolumeCapability().getAccessMode().getMode();
    boolean readOnly = request.getReadonly() || mode == Mode.SINGLE_NODE_READER_ONLY;
    if (readOnly && disk.kind() == Kind.BLOCK) {
      throw CsiException.failedPrecondition(
          "readonly: a device can't be kept from being written, whatever its mount says");
    }
    MountOptions flags =
        MountOptions.parse(request.getVolumeCapability().getMount().getMountFlagsList());
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    // Several writers of one node are published in parallel.
    synchronized (locks.computeIfAbsent(disk.id(), id -> new Object())) {
      if (mode != Mode.SINGLE_NODE_MULTI_WRITER) {
        requireNoOtherTarget(disk, target);
      }
      publish(disk, target, readOnly ? flags.withReadOnly() : flags);
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  private void publish(Disk disk, TargetPath target, MountOptions options) {
    disk.requireHealthy();
    boolean mounted = mounter.mountAt(target.path()).isPresent();
    boolean made =
        disk.kind() == Kind.BLOCK ? target.createFile(mounter) : target.createDirectory(mounter);
    try {
      if (!mounted) {
        publications.put(disk.id(), target.path());
      }
      mounter.bind(disk.source(), target.path(), options);
      requireNotReplaced(disk, target);
    } catch (CsiException e) {
      if (mounter.mountAt(target.path()).isEmpty()) {
        publications.remove(target.path());
        if (made) {
          target.remove(mounter);
        }
      }
      throw e;
    }
  }

  /** The disk may have gone between our look and the bind, which then shows what lay below it. */
  private void requireNotReplaced(Disk disk, TargetPath target) {
    try {
      if (disk.kind() == Kind.BLOCK || disks.isAt(disk, target.path())) {
        return;
      }
    } catch (IOException e) {
      throw CsiException.unavailable("the volume can't be looked at", e);
    }
    mounter.unmount(target.path());
    throw CsiException.failedPrecondition("the disk has just gone; what lay below it was not used");
  }

  private void requireNoOtherTarget(Disk disk, TargetPath target) {
    publications
        .others(disk.id(), target.path())
        .filter(other -> mounter.mountAt(other).isPresent())
        .findFirst()
        .ifPresent(
            other -> {
              throw CsiException.failedPrecondition(
                  "the access mode allows one target, and the volume is published at " + other);
            });
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    if (mounter.mountAt(target.path()).isPresent()) {
      if (!isAt(request.getVolumeId(), target.path())) {
        throw CsiException.failedPrecondition(
            "what is mounted at target_path is not this volume; nothing was unmounted");
      }
      mounter.unmount(target.path());
    }
    target.remove(mounter);
    publications.remove(target.path());
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    Disk disk = diskAt(request.getVolumeId(), request.getVolumePath());
    NodeGetVolumeStatsResponse.Builder answer = NodeGetVolumeStatsResponse.newBuilder();
    if (disk.fault().isEmpty()) {
      answer.addAllUsage(sizes.usage(disk, Path.of(request.getVolumePath())).toMessages());
    }
    return answer.build();
  }

  @Override
  public NodeGetVolumeHealthResponse nodeGetVolumeHealth(
      NodeGetVolumeHealthRequest request, CallContext call) {
    return NodeGetVolumeHealthResponse.newBuilder()
        .setVolumeHealth(diskAt(request.getVolumeId(), request.getVolumePublishPath()).health())
        .build();
  }

  private Disk diskAt(String volumeId, String path) {
    Disk disk = disks.require(volumeId);
    Path target = TargetPath.of("volume_path", path).path();
    if (mounter.mountAt(target).isEmpty() || !isAt(volumeId, target)) {
      throw CsiException.notFound("the volume is not at volume_path");
    }
    return disk;
  }

  /** By what was written down when it was bound; of what is older by the kernel, if it can tell. */
  private boolean isAt(String volumeId, Path target) {
    return publications
        .volumeAt(target)
        .map(volumeId::equals)
        .orElseGet(
            () ->
                disks
                    .find(volumeId)
                    .filter(disk -> disk.fault().isEmpty())
                    .filter(disk -> mounter.isMountOf(disk.source(), target))
                    .isPresent());
  }

  /** Volumes of this driver have none of their own. */
  static void requireNoContext(Map<String, String> context) {
    if (!KubernetesKeys.withoutReserved(context).isEmpty()) {
      throw CsiException.invalidArgument("volume_context is not the one of this volume");
    }
  }
}
