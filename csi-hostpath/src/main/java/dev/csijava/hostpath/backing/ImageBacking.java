package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import dev.csijava.core.mount.UsageReader;
import dev.csijava.core.mount.VolumeUsage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Volumes that are a sparse file with a file system of their own: their size is real. The file
 * system is mounted at the staging path through a loop device, and nowhere else by this driver.
 */
final class ImageBacking implements VolumeBacking {
  private static final Logger log = LoggerFactory.getLogger(ImageBacking.class);

  private final BackingFile file;
  private final AttachedFiles attached;
  private final ImageFileSystems fileSystems;
  private final Mounter mounter;
  private final UsageReader usage;

  ImageBacking(
      BackingFile file,
      AttachedFiles attached,
      ImageFileSystems fileSystems,
      Mounter mounter,
      UsageReader usage) {
    this.file = file;
    this.attached = attached;
    this.fileSystems = fileSystems;
    this.mounter = mounter;
    this.usage = usage;
  }

  /** Formats the file while it is pending, so that a crash in between leaves nothing behind. */
  @Override
  public void make(BackedVolume volume) throws IOException {
    file.make(volume.data(), volume.bytes());
    fileSystems.make(volume.data(), volume.record());
    file.sync(volume.data());
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
    return false;
  }

  @Override
  public List<Mount> uses(BackedVolume volume) {
    return attached.uses(volume.data());
  }

  @Override
  public boolean isShownAt(BackedVolume volume, Path path) {
    return mounter
        .mountAt(path)
        .filter(mount -> attached.isShownBy(volume.data(), mount))
        .isPresent();
  }

  @Override
  public void stage(BackedVolume volume, Path staging, NodeAccess access) {
    if (uses(volume).isEmpty()) {
      // What the check and the mount write must not get half into a copy; a mounted one is frozen.
      try (CutHold _ = file.holdForChange(volume.data())) {
        mount(volume, staging, access);
      }
    } else {
      mount(volume, staging, access);
    }
  }

  private void mount(BackedVolume volume, Path staging, NodeAccess access) {
    boolean mounted = !uses(volume).isEmpty();
    boolean shown = mounted && isShownAt(volume, staging);
    LoopDevice device = mounted ? writable(volume) : attach(volume);
    try {
      BackedVolume ready =
          mounted ? volume : fileSystems.prepare(volume, device.node(), staging, mounter);
      mounter.mount(
          device.node().toString(),
          staging,
          ready.record().getFileSystem().getType(),
          options(ready, access));
      file.thawLeft(volume.data());
      if (!access.readOnly()) {
        fileSystems.growAfterMount(ready, device.node(), staging);
      }
    } catch (RuntimeException e) {
      if (!isTakenBack(volume, staging, shown)) {
        // Callers forget a staging that failed for good, and would never take this away.
        throw CsiException.unavailable(
            e.getMessage() + "; what was mounted or attached for it is still there", e);
      }
      throw e;
    }
  }

  /**
   * Whether nothing is left of a call that failed.
   *
   * @param shownBefore whether the volume was at the staging path before the call
   */
  private boolean isTakenBack(BackedVolume volume, Path staging, boolean shownBefore) {
    try {
      if (!shownBefore && isShownAt(volume, staging)) {
        mounter.unmount(staging);
      }
      if (uses(volume).isEmpty()) {
        attached.release(volume.data());
      }
      return true;
    } catch (CsiException e) {
      log.warn("{} is not as before a staging that failed: {}", staging, e.getMessage());
      return false;
    }
  }

  private LoopDevice attach(BackedVolume volume) {
    file.fit(volume);
    boolean before = attached.find(volume.data()).isPresent();
    LoopDevice device = writable(volume);
    if (before) {
      attached.grow(volume.data(), volume.bytes());
    }
    return device;
  }

  /** Also for a read-only mount: the journal has to be replayed, and the file system may grow. */
  private LoopDevice writable(BackedVolume volume) {
    return attached.attach(volume.data(), false);
  }

  private static List<String> options(BackedVolume volume, NodeAccess access) {
    List<String> options = new ArrayList<>(access.fileSystemFlags());
    boolean says = options.stream().anyMatch(option -> option.startsWith("errors="));
    if (volume.record().getFileSystem().getType().equals("ext4") && !says) {
      // As health shows it; its own default is to go on writing.
      options.add("errors=remount-ro");
    }
    for (MountOptions.Flag flag : access.options().flags()) {
      options.add(flag.name().toLowerCase(Locale.ROOT));
    }
    return options;
  }

  @Override
  public void publish(BackedVolume volume, Path staging, Path target, NodeAccess access) {
    mounter.bind(staging, target, access.options());
  }

  @Override
  public void release(BackedVolume volume) {
    attached.release(volume.data());
  }

  @Override
  public void growOnNode(BackedVolume volume, Path path) {
    file.fit(volume);
    LoopDevice device =
        attached
            .find(volume.data())
            .orElseThrow(
                () -> CsiException.failedPrecondition("the volume is not staged on this node"));
    attached.grow(volume.data(), volume.bytes());
    Path writable =
        uses(volume).stream()
            .filter(mount -> mount.root().equals("/") && !mount.readOnly())
            .map(Mount::target)
            .findFirst()
            .orElseThrow(
                () ->
                    CsiException.failedPrecondition(
                        "the volume is mounted read-only; it grows when it is staged next"));
    fileSystems.growMounted(volume, device.node(), writable);
  }

  @Override
  public VolumeUsage usage(Path path) {
    return usage.ofFileSystem(path);
  }
}
