package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Raw block volumes: a sparse file that is handed out as a loop device. The content is opaque; no
 * file-system tool ever sees it (rule K10, B104).
 */
final class BlockBacking implements VolumeBacking {
  private final BackingFile file;
  private final CutLocks unused;
  private final AttachedFiles attached;
  private final Mounter mounter;
  private final UsageReader usage;

  /**
   * @param unused keeps a volume that nobody uses so while it is cut as one of a group
   */
  BlockBacking(
      BackingFile file,
      CutLocks unused,
      AttachedFiles attached,
      Mounter mounter,
      UsageReader usage) {
    this.file = file;
    this.unused = unused;
    this.attached = attached;
    this.mounter = mounter;
    this.usage = usage;
  }

  @Override
  public void make(BackedVolume volume) throws IOException {
    file.make(volume.data(), volume.bytes());
  }

  @Override
  public void copy(Path from, BackedVolume volume) throws IOException {
    file.copy(from, volume.data(), volume.bytes());
  }

  @Override
  public void resize(BackedVolume volume, long bytes) throws IOException {
    file.setSize(volume.data(), bytes);
  }

  @Override
  public boolean growsOnNode() {
    return true;
  }

  @Override
  public List<VolumeFault> faults(BackedVolume volume) {
    return file.faults(volume);
  }

  @Override
  public boolean isDevice() {
    return true;
  }

  @Override
  public List<Mount> uses(BackedVolume volume) {
    return attached.uses(volume.data());
  }

  @Override
  public boolean isShownAt(BackedVolume volume, Path path) {
    return mounter.mountAt(path).isPresent()
        && attached
            .find(volume.data())
            .filter(device -> mounter.isMountOf(device.node(), path))
            .isPresent();
  }

  /** Nothing is mounted at the staging path: the volume is a device of this node from now on. */
  @Override
  public void stage(BackedVolume volume, Path staging, NodeAccess access) {
    if (attached.find(volume.data()).isPresent()) {
      // Publish sees to the read-only state, and an expansion to the size.
      return;
    }
    try (CutHold _ = unused.forChange(volume.data())) {
      file.fit(volume);
      attached.attach(volume.data(), access.readOnly());
    }
  }

  /**
   * Binds the device's node. A read-only mount of a device node does not keep anybody from writing
   * to the device, so the device itself is made read-only; and since a file has one device, a
   * volume is published either for writing or for reading.
   */
  @Override
  public void publish(BackedVolume volume, Path staging, Path target, NodeAccess access) {
    LoopDevice device = device(volume);
    if (device.readOnly() != access.readOnly() && !isShownAt(volume, target)) {
      List<Mount> uses = uses(volume);
      if (!uses.isEmpty()) {
        throw CsiException.failedPrecondition(
            "a raw block volume is published for reading or for writing, not both; see "
                + uses.getFirst().target());
      }
      attached.release(volume.data());
      // As before any other device: what a growth left that was never committed is cut off later.
      file.fit(volume);
      device = attached.attach(volume.data(), access.readOnly());
    }
    mounter.bind(device.node(), target, access.options());
  }

  private LoopDevice device(BackedVolume volume) {
    return attached
        .find(volume.data())
        .orElseThrow(
            () -> CsiException.failedPrecondition("the volume is not staged on this node"));
  }

  @Override
  public void release(BackedVolume volume) {
    attached.release(volume.data());
  }

  @Override
  public void growOnNode(BackedVolume volume, Path path) {
    file.fit(volume);
    LoopDevice device = device(volume);
    attached.grow(volume.data(), volume.bytes());
    long size = usage.ofBlockDevice(device.node()).bytes().total();
    if (size < volume.bytes()) {
      throw CsiException.internal("the device has " + size + " bytes after it has grown", null);
    }
  }

  @Override
  public VolumeUsage usage(Path path) {
    return usage.ofBlockDevice(path);
  }
}
