package dev.csijava.hostpath.backing;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.mounts.MountView;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Files as loop devices, and who uses these. A device is known by its file, never by its number,
 * which the kernel gives to somebody else as soon as it is free (rule K5).
 */
final class AttachedFiles {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final LoopDevices loops;
  private final MountView mounts;
  private final Function<Path, String> holders;

  /**
   * @param holders says in a sentence what keeps a device node open
   */
  AttachedFiles(LoopDevices loops, MountView mounts, Function<Path, String> holders) {
    this.loops = loops;
    this.mounts = mounts;
    this.holders = holders;
  }

  Optional<LoopDevice> find(Path file) {
    return loops.find(file);
  }

  /** All mounts of the device that the file is attached as, and of its node. */
  List<Mount> uses(Path file) {
    return find(file).map(device -> mounts.ofDevice(device.node())).orElse(List.of());
  }

  /**
   * The mounts that show the root of the file system on the device that the file is attached as.
   */
  List<Mount> fileSystemMounts(Path file) {
    return find(file)
        .map(
            device ->
                mounts.ofDevice(device.node()).stream()
                    .filter(mount -> mount.root().equals("/") && mounts.isOn(device.node(), mount))
                    .toList())
        .orElse(List.of());
  }

  /** Whether a mount shows the whole file system on the device that the file is attached as. */
  boolean isShownBy(Path file, Mount mount) {
    return mount.root().equals("/")
        && mounts.deviceOf(mount).filter(node -> loops.isAttachedAs(file, node)).isPresent();
  }

  LoopDevice attach(Path file, boolean readOnly) {
    LoopDevice device = loops.attach(file, readOnly);
    if (device.readOnly() != readOnly) {
      throw CsiException.internal(
          device.node() + " is " + (readOnly ? "writable" : "read-only") + ", not as asked for",
          null);
    }
    return device;
  }

  /**
   * Makes the device as large as the file (rule K10).
   *
   * @throws CsiException INTERNAL if it is smaller afterwards than it has to be
   */
  void grow(Path file, long bytes) {
    long size = loops.grow(file);
    if (size < bytes) {
      throw CsiException.internal(
          "the loop device has " + size + " bytes and should have " + bytes, null);
    }
  }

  /**
   * Ends with the file not attached. A look at the device by somebody, as udev takes one, is waited
   * for, by the condition and not by a time.
   *
   * @throws CsiException FAILED_PRECONDITION, naming who uses it
   */
  void release(Path file) {
    Optional<LoopDevice> device = find(file);
    if (device.isEmpty()) {
      return;
    }
    try {
      loops.detach(file);
    } catch (CsiException e) {
      if (e.code() != Status.Code.FAILED_PRECONDITION) {
        throw e;
      }
      if (!isReleasedSoon(file)) {
        throw CsiException.failedPrecondition(
            device.get().node()
                + ", the device of the volume, is still open: "
                + holders.apply(device.get().node()));
      }
    }
  }

  private boolean isReleasedSoon(Path file) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    try {
      while (find(file).isPresent()) {
        if (System.nanoTime() > end) {
          return false;
        }
        Thread.sleep(PAUSE.toMillis());
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
