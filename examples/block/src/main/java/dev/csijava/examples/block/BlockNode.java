package dev.csijava.examples.block;

import dev.csijava.core.CallContext;
import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.MountTable;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.TargetPath;
import dev.csijava.core.node.NodeExpansion;
import dev.csijava.core.node.Publishing;
import dev.csijava.core.node.Staging;
import dev.csijava.spec.v1.NodeExpandVolumeRequest;
import dev.csijava.spec.v1.NodeExpandVolumeResponse;
import dev.csijava.spec.v1.NodePublishVolumeRequest;
import dev.csijava.spec.v1.NodePublishVolumeResponse;
import dev.csijava.spec.v1.NodeStageVolumeRequest;
import dev.csijava.spec.v1.NodeStageVolumeResponse;
import dev.csijava.spec.v1.NodeUnpublishVolumeRequest;
import dev.csijava.spec.v1.NodeUnpublishVolumeResponse;
import dev.csijava.spec.v1.NodeUnstageVolumeRequest;
import dev.csijava.spec.v1.NodeUnstageVolumeResponse;
import dev.csijava.spec.v1.VolumeCapability.AccessMode.Mode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The node's side: an image becomes a loop device, and the device appears at a target. It keeps no
 * record: which device an image has and what shows it is the kernel's to say, after a restart and
 * after a reboot too. A raw block volume shows nothing at its staging path.
 */
final class BlockNode implements Staging, Publishing, NodeExpansion {
  private static final Logger log = LoggerFactory.getLogger(BlockNode.class);
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final Mounter mounter = Mounter.system();
  private final LoopDevices loops = LoopDevices.system("csi-block-example");

  /** A few for all volumes, or there would be one for each that ever was here. */
  private final List<Object> locks = Stream.generate(Object::new).limit(64).toList();

  private final SharedDirectory shared;
  private final String nodeId;

  BlockNode(SharedDirectory shared, String nodeId) {
    this.shared = shared;
    this.nodeId = nodeId;
  }

  /**
   * Releases the devices of images that are gone, which a crash may have left. A target does not
   * hold its device, which released would become another's under the pod: so what the kernel shows
   * at a target stays, whatever the directory says.
   */
  void sweep() {
    try {
      List<Path> wanted = new ArrayList<>(shared.images());
      for (Mount mount : MountTable.read().all()) {
        Optional<Path> file = ShownLoop.of(mount).flatMap(ShownLoop::file);
        if (file.isPresent() && !Files.exists(file.get())) {
          log.warn("{} shows an image that is gone; no device is released now", mount.target());
          return;
        }
        file.ifPresent(wanted::add);
      }
      loops.sweep(wanted);
    } catch (IOException | UncheckedIOException | CsiException e) {
      log.warn("what a crash may have left can't be told; the next start looks again", e);
    }
  }

  @Override
  public NodeStageVolumeResponse nodeStageVolume(NodeStageVolumeRequest request, CallContext call) {
    BlockVolume volume = volume(request.getVolumeId());
    BlockController.requireNoContext(request.getVolumeContextMap());
    Use use = Use.onNode(nodeId, request.getVolumeCapability(), request.getPublishContextMap());
    TargetPath.of("staging_target_path", request.getStagingTargetPath()).requireDirectory(mounter);
    Optional<LoopDevice> device = loops.find(volume.image());
    if (device.isEmpty()) {
      loops.attach(volume.image(), use.readOnly());
    } else if (use.readOnly() && !device.get().readOnly()) {
      throw CsiException.alreadyExists("the volume is staged already, for writing");
    }
    return NodeStageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeUnstageVolumeResponse nodeUnstageVolume(
      NodeUnstageVolumeRequest request, CallContext call) {
    shared
        .find(request.getVolumeId())
        .ifPresent(
            volume -> {
              // A target does not hold the device: it would turn into an empty one, or another's.
              loops.find(volume.image()).ifPresent(this::requireUnused);
              release(loops, volume.image());
            });
    return NodeUnstageVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodePublishVolumeResponse nodePublishVolume(
      NodePublishVolumeRequest request, CallContext call) {
    BlockVolume volume = volume(request.getVolumeId());
    BlockController.requireNoContext(request.getVolumeContextMap());
    Use use =
        Use.onNode(nodeId, request.getVolumeCapability(), request.getPublishContextMap())
            .readOnlyIf(request.getReadonly());
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    // Several writers of one node are published in parallel, and may all want a device.
    synchronized (locks.get(Math.floorMod(volume.id().hashCode(), locks.size()))) {
      LoopDevice device = device(volume, use, target.path());
      if (!mounter.isMountOf(device.node(), target.path()) && isForOneTarget(request)) {
        requireUnused(device);
      }
      boolean made = target.createFile(mounter);
      try {
        mounter.bind(device.node(), target.path(), options(use));
      } catch (CsiException e) {
        if (made && mounter.mountAt(target.path()).isEmpty()) {
          target.remove(mounter);
        }
        throw e;
      }
    }
    return NodePublishVolumeResponse.getDefaultInstance();
  }

  /**
   * The device that the volume was staged as; after a reboot a new one, since callers do not stage
   * again. A mount that is read-only keeps nobody from writing to a device, so the device itself
   * has to be, and is made anew where it is not.
   */
  private LoopDevice device(BlockVolume volume, Use use, Path target) {
    Optional<LoopDevice> there = loops.find(volume.image());
    if (there.isPresent() && there.get().readOnly() == use.readOnly()) {
      return there.get();
    }
    if (there.isPresent()) {
      if (mounter.isMountOf(there.get().node(), target)) {
        throw CsiException.alreadyExists(
            "the volume is published at target_path already, but "
                + (use.readOnly() ? "writable" : "read-only"));
      }
      requireUnused(there.get());
      release(loops, volume.image());
    }
    return loops.attach(volume.image(), use.readOnly());
  }

  @Override
  public NodeUnpublishVolumeResponse nodeUnpublishVolume(
      NodeUnpublishVolumeRequest request, CallContext call) {
    TargetPath target = TargetPath.of("target_path", request.getTargetPath());
    Optional<Mount> there = mounter.mountAt(target.path());
    if (there.isPresent()) {
      boolean ours =
          shared
              .find(request.getVolumeId())
              .flatMap(volume -> loops.find(volume.image()))
              .filter(device -> mounter.isMountOf(device.node(), target.path()))
              .isPresent();
      // A device that lost its image shows nobody's data, and nobody can say any more whose it was.
      if (!ours && ShownLoop.of(there.get()).filter(ShownLoop::isEmpty).isEmpty()) {
        throw CsiException.failedPrecondition(
            "what is mounted at target_path is not this volume; nothing was unmounted");
      }
      mounter.unmount(target.path());
    }
    target.remove(mounter);
    return NodeUnpublishVolumeResponse.getDefaultInstance();
  }

  @Override
  public NodeExpandVolumeResponse nodeExpandVolume(
      NodeExpandVolumeRequest request, CallContext call) {
    BlockVolume volume = volume(request.getVolumeId());
    Path path = TargetPath.of("volume_path", request.getVolumePath()).path();
    Optional<LoopDevice> device = loops.find(volume.image());
    // Of a staging path the kernel can't say more than that the volume has a device here.
    if (device.isEmpty()
        || !(mounter.isMountOf(device.get().node(), path)
            || Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))) {
      throw CsiException.notFound("the volume is not at volume_path");
    }
    if (request.hasVolumeCapability() && Use.of(request.getVolumeCapability()).isEmpty()) {
      throw CsiException.invalidArgument("volume_capability: " + Use.refusal());
    }
    if (request.getCapacityRange().getRequiredBytes() > volume.sizeBytes()) {
      throw CsiException.outOfRange("the controller has not made the volume that large");
    }
    return NodeExpandVolumeResponse.newBuilder()
        .setCapacityBytes(loops.grow(volume.image()))
        .build();
  }

  private BlockVolume volume(String id) {
    return shared.find(id).orElseThrow(() -> CsiException.notFound("there is no such volume"));
  }

  /** Whoever looks for a free loop device has others open for a moment: that is waited for. */
  static void release(LoopDevices loops, Path image) {
    try {
      loops.detach(image);
    } catch (CsiException e) {
      long end = System.nanoTime() + PATIENCE.toNanos();
      while (loops.find(image).isPresent()) {
        if (System.nanoTime() - end > 0) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }

  /** Refuses with the place where the device is still seen. */
  private void requireUnused(LoopDevice device) {
    try {
      String root = "/" + device.node().getFileName();
      for (Mount mount : MountTable.read().all()) {
        if (mount.root().endsWith(root) && mounter.isMountOf(device.node(), mount.target())) {
          throw CsiException.failedPrecondition(
              "the volume is published at " + mount.target() + "; unpublish it there first");
        }
      }
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read", e);
    }
  }

  private static boolean isForOneTarget(NodePublishVolumeRequest request) {
    Mode mode = request.getVolumeCapability().getAccessMode().getMode();
    return mode == Mode.SINGLE_NODE_WRITER
        || mode == Mode.SINGLE_NODE_SINGLE_WRITER
        || mode == Mode.SINGLE_NODE_READER_ONLY;
  }

  private static MountOptions options(Use use) {
    return use.readOnly() ? MountOptions.of(MountOptions.Flag.RO) : MountOptions.NONE;
  }
}
