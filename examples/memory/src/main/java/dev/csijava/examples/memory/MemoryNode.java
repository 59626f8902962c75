package dev.csijava.examples.memory;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.capacity.CapacityPlanner;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.node.NodeExpansion;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.Staging;
import dev.csijava.core.node.VolumeStats;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodeGetVolumeStatsRequest;
import dev.csijava.spec.v1.NodeGetVolumeStatsResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The node's side: NodeStageVolume mounts the tmpfs, NodePublishVolume binds it into pods, and
 * NodeUnstageVolume gives the memory back.
 */
final class MemoryNode implements Staging, Publishing, VolumeStats, NodeExpansion {
  private final VolumeStore store;
  private final CapacityPlanner planner;
  private final StagedMarks marks;
  private final Mounter mounter;
  private final UsageReader usage = UsageReader.system();

  MemoryNode(VolumeStore store, CapacityPlanner planner, StagedMarks marks, Mounter mounter) {
    this.store = store;
    this.planner = planner;
    this.marks = marks;
    this.mounter = mounter;
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call) {
    MemoryVolume volume = store.require(request.getVolumeId());
    MemoryController.refuseOwnKeys("context", request.getVolumeContextMap());
    TargetPath staging = TargetPath.of("staging_target_path", request.getStagingTargetPath());
    MemoryCapability capability = servable(request.getVolumeCapability());
    staging.requireDirectory(mounter);
    stage(volume, staging.path(), capability);
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(
      NodeUnstageVolumeRequest request, CallContext call) {
    String id = request.getVolumeId();
    Path staging = TargetPath.of("staging_target_path", request.getStagingTargetPath()).path();
    refuseForeign(staging, id);
    if (mounter.mountAt(staging).isPresent()) {
      VolumeMounts.read(id)
          .elsewhere(staging)
          .ifPresent(
              target -> {
                throw CsiException.failedPrecondition("the volume is published at " + target);
              });
      mounter.unmount(staging);
    }
    store.find(id).ifPresent(marks::clear);
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    MemoryVolume volume = store.require(request.getVolumeId());
    MemoryController.refuseOwnKeys("context", request.getVolumeContextMap());
    MemoryCapability capability = servable(request.getVolumeCapability());
    Path staging = TargetPath.of("staging_target_path", request.getStagingTargetPath()).path();
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    publish(volume, staging, target, capability, request.getReadonly());
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    refuseForeign(target.path(), request.getVolumeId());
    mounter.unmount(target.path());
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeGetVolumeStatsResponse nodeGetVolumeStats(
      NodeGetVolumeStatsRequest request, CallContext call) {
    Path path = requireMounted(store.require(request.getVolumeId()), request.getVolumePath());
    return NodeGetVolumeStatsResponse.newBuilder()
        .addAllUsage(usage.ofFileSystem(path).toMessages())
        .build();
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(
      NodeExpandVolumeRequest request, CallContext call) {
    MemoryVolume volume = store.require(request.getVolumeId());
    if (request.hasVolumeCapability()) {
      MemoryCapability.of(request.getVolumeCapability(), CsiException::invalidArgument);
    }
    long size = volume.sizeBytes();
    if (planner.planGrowth(size, request.hasCapacityRange() ? request.getCapacityRange() : null)
        > size) {
      throw CsiException.outOfRange("the controller has grown the volume to " + size + " bytes");
    }
    Path path = requireMounted(volume, request.getVolumePath());
    // Through a read-only bind mount the whole file system would become read-only.
    mounter.remount(
        VolumeMounts.read(volume.id()).unrestricted().orElse(path),
        MemoryCapability.sizeOptions(size));
    if (usage.ofFileSystem(path).bytes().total() < size) {
      throw CsiException.internal("the volume did not grow to " + size + " bytes", null);
    }
    return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(size).build();
  }

  private void stage(MemoryVolume volume, Path staging, MemoryCapability capability) {
    mounter.mount(
        VolumeMounts.source(volume.id()),
        staging,
        "tmpfs",
        capability.fileSystemOptions(volume.sizeBytes()));
    Mount now =
        mounter
            .mountAt(staging)
            .orElseThrow(() -> CsiException.unavailable("the new mount is gone again", null));
    if (!groupOf(now).equals(capability.group().filter(group -> !group.equals("0")))) {
      throw CsiException.alreadyExists("the volume is staged for another volume_mount_group");
    }
    marks.set(volume);
  }

  /** As the kernel shows it, which leaves out the group 0. */
  private static Optional<String> groupOf(Mount mount) {
    return mount.superOptions().stream()
        .filter(option -> option.startsWith("gid="))
        .map(option -> option.substring("gid=".length()))
        .findFirst();
  }

  /**
   * After a reboot kubelet may publish without staging: then the volume is staged here, as empty as
   * every memory volume after a reboot. A mount that was lost otherwise took its data along, which
   * must not go unnoticed.
   */
  private void requireStaged(MemoryVolume volume, Path staging, MemoryCapability capability) {
    refuseForeign(staging, volume.id());
    if (mounter.mountAt(staging).isEmpty()) {
      if (marks.has(volume)) {
        throw CsiException.failedPrecondition(
            "the volume was unmounted from staging_target_path, and its data is gone; delete the"
                + " pods that use it, so that it is staged anew");
      }
      stage(volume, staging, capability);
    }
  }

  /** One at a time: no two calls both find the volume not staged, or themselves the first. */
  private synchronized void publish(
      MemoryVolume volume,
      Path staging,
      TargetPath target,
      MemoryCapability capability,
      boolean readOnly) {
    requireStaged(volume, staging, capability);
    Optional<Path> other = VolumeMounts.read(volume.id()).elsewhere(staging, target.path());
    if (capability.forOneTarget() && other.isPresent()) {
      throw CsiException.failedPrecondition(
          "the access mode allows one target, and the volume is published at " + other.get());
    }
    target.createDirectory(mounter);
    mounter.bind(staging, target.path(), capability.targetOptions(readOnly));
  }

  private void refuseForeign(Path path, String volumeId) {
    mounter
        .mountAt(path)
        .filter(mount -> !VolumeMounts.belongsTo(mount, volumeId))
        .ifPresent(
            mount -> {
              throw CsiException.failedPrecondition("something else is mounted at " + path);
            });
  }

  private Path requireMounted(MemoryVolume volume, String volumePath) {
    Path path = Path.of(volumePath);
    if (!mounter
        .mountAt(path)
        .map(mount -> VolumeMounts.belongsTo(mount, volume.id()))
        .orElse(false)) {
      throw CsiException.notFound("the volume is not at " + volumePath);
    }
    return path;
  }

  private static MemoryCapability servable(VolumeCapability capability) {
    return MemoryCapability.of(capability, CsiException::failedPrecondition);
  }
}
