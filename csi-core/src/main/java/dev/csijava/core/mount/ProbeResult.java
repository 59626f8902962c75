package dev.csijava.core.mount;

/**
 * What lies on a device or in an image.
 *
 * @since 0.1.0
 */
public sealed interface ProbeResult {
  /**
   * Nothing: no signature is known, and beginning and end were read and hold zeros only.
   *
   * @since 0.1.0
   */
  record Blank() implements ProbeResult {}

  /**
   * A file system.
   *
   * @param typeName for example {@code ext4}
   * @param uuid as the file system has it; empty if it has none
   * @since 0.1.0
   */
  record Found(String typeName, String uuid) implements ProbeResult {}

  /**
   * Something, or it could not be read: never to be formatted.
   *
   * @param reason why it is neither blank nor a file system, as a part of a sentence
   * @since 0.1.0
   */
  record Unknown(String reason) implements ProbeResult {}
}
