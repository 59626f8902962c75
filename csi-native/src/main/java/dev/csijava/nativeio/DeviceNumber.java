package dev.csijava.nativeio;

/**
 * The number of a device, or of a file system.
 *
 * @param major of the driver
 * @param minor of the device
 * @since 0.1.0
 */
public record DeviceNumber(int major, int minor) {
  private static final int LOW_MINOR = 0xff;

  /** As the kernel packs it into one number. */
  long packed() {
    long low = Integer.toUnsignedLong((minor & LOW_MINOR) | (major << 8));
    return low | (Integer.toUnsignedLong(minor & ~LOW_MINOR) << 12);
  }

  /** As the kernel shows it, for example {@code 7:3}. */
  @Override
  public String toString() {
    return Integer.toUnsignedString(major) + ":" + Integer.toUnsignedString(minor);
  }
}
