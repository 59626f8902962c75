package dev.csijava.nativeio;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Asks the kernel about block devices.
 *
 * @since 0.1.0
 */
public final class BlockDevice {
  private BlockDevice() {}

  /**
   * The size of a block device in bytes. Opens it for reading, and does not read.
   *
   * @param node absolute; a link is followed
   * @throws LinuxException ENOENT; ENXIO if there is no such device; ENOTTY if it is no block
   *     device
   * @since 0.1.0
   */
  public static long size(Path node) throws LinuxException {
    try (Descriptor device = Descriptor.open(node, Descriptor.READ | Descriptor.NON_BLOCKING)) {
      return size(device);
    }
  }

  static long size(Descriptor device) throws LinuxException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment size = arena.allocate(JAVA_LONG);
      Ioctl.DEVICE_SIZE.on(device, size.address());
      return size.get(JAVA_LONG, 0);
    }
  }
}
