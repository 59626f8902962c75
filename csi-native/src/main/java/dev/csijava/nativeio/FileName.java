package dev.csijava.nativeio;

import dev.csijava.core.mount.RawPaths;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * One name in a directory: bytes, as the kernel has it, in whatever encoding or none. Never a path:
 * no slash, not {@code .} or {@code ..}, so that it can lead nowhere else (rule K2).
 *
 * @since 0.1.0
 */
public final class FileName {
  private final byte[] bytes;

  private FileName(byte[] bytes) {
    this.bytes = bytes;
  }

  /**
   * The name with these characters in UTF-8.
   *
   * @throws IllegalArgumentException if it is no single name
   * @since 0.1.0
   */
  public static FileName of(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * The name with exactly these bytes, without a NUL at the end.
   *
   * @throws IllegalArgumentException if it is no single name
   * @since 0.1.0
   */
  public static FileName of(byte[] bytes) {
    if (bytes.length == 0 || isDots(bytes)) {
      throw new IllegalArgumentException("not the name of one file");
    }
    for (byte b : bytes) {
      if (b == 0 || b == '/') {
        throw new IllegalArgumentException("a file's name holds no slash and no NUL");
      }
    }
    return new FileName(bytes.clone());
  }

  /**
   * The last name of a path.
   *
   * @param path absolute and normalised
   * @throws IllegalArgumentException if it is the root, or not of this system
   * @since 0.1.0
   */
  public static FileName last(Path path) {
    byte[] all = RawPaths.bytes(path);
    int from = all.length;
    while (from > 0 && all[from - 1] != '/') {
      from--;
    }
    return of(Arrays.copyOfRange(all, from, all.length));
  }

  static boolean isDots(byte[] name) {
    return name.length < 3 && name[0] == '.' && name[name.length - 1] == '.';
  }

  byte[] bytes() {
    return bytes;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FileName name && Arrays.equals(bytes, name.bytes);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(bytes);
  }

  /** For people: read as UTF-8, what is none replaced. */
  @Override
  public String toString() {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
