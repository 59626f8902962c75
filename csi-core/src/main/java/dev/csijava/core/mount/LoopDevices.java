package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import io.grpc.Status;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.LoggerFactory;

/**
 * Attaches image files as block devices. What is attached is the kernel's to say, so a device is
 * found again after a restart, and known to be gone after a reboot. A file is known by device and
 * inode, not by its name; a loop device over another loop device, as kubelet puts one over a
 * published block volume, has another file and is never touched.
 *
 * <p>Safe for use by several threads; blocks until the kernel has answered. The caller holds the
 * lock of the volume: two processes that attach one image at the same moment may get two devices.
 *
 * @since 0.1.0
 */
public interface LoopDevices {
  /**
   * The best implementation for this system, with a tag that all who use this method have in
   * common.
   *
   * @since 0.1.0
   */
  static LoopDevices system() {
    return system("csi-java");
  }

  /**
   * The best implementation for this system: by system calls where csi-native is on the class path
   * and works, else by losetup(8). Which one, and why, is written to the log once a process.
   *
   * @param tag what the kernel keeps with each device that this object attaches, so that {@link
   *     #sweep} knows its own: another one for each state directory on a node; 1 to 63 printable
   *     ASCII characters
   * @throws IllegalArgumentException if the tag is anything else
   * @since 0.1.0
   */
  static LoopDevices system(String tag) {
    if (tag.isEmpty() || tag.length() > 63 || !tag.chars().allMatch(c -> c > 32 && c < 127)) {
      throw new IllegalArgumentException(
          "the tag of loop devices must be 1 to 63 printable ASCII characters");
    }
    return SystemLoops.get().devices(tag);
  }

  /**
   * The implementation that runs losetup(8) of util-linux.
   *
   * @param deadline how long a run may take before it is killed
   * @throws IllegalArgumentException if the deadline is not positive
   * @since 0.1.0
   */
  static LoopDevices byPrograms(Duration deadline) {
    if (deadline.isNegative() || deadline.isZero()) {
      throw new IllegalArgumentException("the deadline of losetup must be positive");
    }
    return new ProgramLoopDevices(new SystemPrograms(), deadline);
  }

  /**
   * The whole image as a device: the one that it is attached as already, else a new one, with
   * direct I/O where the file system of the image can do it.
   *
   * @param image an absolute path; a link is followed
   * @param readOnly whether writes are to be refused
   * @throws CsiException NOT_FOUND if there is no image; FAILED_PRECONDITION if it is attached, but
   *     with the other read-only state, in part only, or more than once; INTERNAL if it can't be
   *     attached, in which case nothing is left
   * @since 0.1.0
   */
  LoopDevice attach(Path image, boolean readOnly);

  /**
   * The device that this image is attached as.
   *
   * @param image an absolute path; a link is followed
   * @return empty if it is not attached, or if there is no image
   * @throws CsiException FAILED_PRECONDITION if it is attached more than once or in part;
   *     UNAVAILABLE if the kernel's list can't be read
   * @since 0.1.0
   */
  Optional<LoopDevice> find(Path image);

  /**
   * Whether this device shows the whole of this image and nothing else. Where the device is known,
   * as from what is mounted, this asks for it alone: by system calls it costs the same however many
   * devices the node has, while {@link #find} looks at each.
   *
   * @param image an absolute path; a link is followed
   * @param node the device node, absolute, under the kernel's own name for it
   * @return false also if there is no such image, or the node is no loop device
   * @throws CsiException UNAVAILABLE if the device can't be asked
   * @since 0.1.0
   */
  default boolean isAttachedAs(Path image, Path node) {
    return find(image).filter(device -> device.node().equals(node)).isPresent();
  }

  /**
   * Makes the device as large as its image has become (rule K10: grow the file first).
   *
   * @return the size of the device in bytes, not smaller than the image
   * @throws CsiException FAILED_PRECONDITION if the image is not attached; INTERNAL if the device
   *     did not grow
   * @since 0.1.0
   */
  long grow(Path image);

  /**
   * Ends with the image not attached. Nothing happens if it is not. Who only looks at the device,
   * as udev and blkid do, is waited for, for half a second.
   *
   * @throws CsiException FAILED_PRECONDITION if something still uses the device then; the kernel
   *     releases it as soon as nobody does, and a later call finds nothing and returns
   * @since 0.1.0
   */
  void detach(Path image);

  /**
   * Attaches the image for as long as it is used: hands the device to {@code use}, which mounts it
   * for example, and leaves its release to the kernel, which does so as soon as nobody has it open
   * or mounted any more. Not for an image that {@link #attach} has attached for good.
   *
   * <p>By system calls a process that dies in between leaves nothing attached that is not mounted;
   * by programs it may.
   *
   * @return what {@code use} returned
   * @throws CsiException as {@link #attach} and {@code use} do
   * @since 0.1.0
   */
  default <T> T whileUsed(Path image, boolean readOnly, Function<LoopDevice, T> use) {
    LoopDevice device = attach(image, readOnly);
    try {
      return use.apply(device);
    } finally {
      try {
        detach(image);
      } catch (CsiException e) {
        if (e.code() != Status.Code.FAILED_PRECONDITION) {
          LoggerFactory.getLogger(LoopDevices.class).warn("{} stays", device.node(), e);
        }
      }
    }
  }

  /**
   * Releases, or has the kernel release as soon as nobody uses them, those devices that carry this
   * object's tag and have none of these images: what a crash left, also when the image is deleted.
   * Nobody else's device is touched. For the start of a driver, before it attaches anything.
   *
   * <p>losetup(8) can't write a tag; the implementation by programs finds nothing.
   *
   * @param wanted images whose devices stay; absolute paths, links followed; one that does not
   *     exist is ignored
   * @return what was released
   * @throws CsiException UNAVAILABLE if an image or the kernel's list can't be read; nothing was
   *     released then
   * @since 0.1.0
   */
  default List<LoopDevice> sweep(Collection<Path> wanted) {
    return List.of();
  }
}
