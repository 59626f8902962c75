package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Paths from and to the bytes that the kernel knows. A name on Linux is bytes, not characters, and
 * the JDK's way from a string depends on the locale of the process.
 */
final class RawPaths {
  private static final String HEX = "0123456789ABCDEF";

  private RawPaths() {}

  /**
   * The path with exactly these bytes.
   *
   * @throws InvalidPathException if the file system has no such path
   */
  static Path decode(FileSystem fileSystem, byte[] bytes, int from, int to) {
    boolean ascii = true;
    for (int i = from; i < to; i++) {
      ascii &= bytes[i] > 0;
    }
    if (ascii) {
      return fileSystem.getPath(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    }
    if (!fileSystem.equals(FileSystems.getDefault())) {
      return fileSystem.getPath(new String(bytes, from, to - from, StandardCharsets.UTF_8));
    }
    return viaUri(bytes, from, to);
  }

  /** A file: URI is the one way into the JDK's paths that takes bytes, whatever the locale. */
  private static Path viaUri(byte[] bytes, int from, int to) {
    StringBuilder uri = new StringBuilder("file://");
    for (int i = from; i < to; i++) {
      int b = bytes[i] & 0xff;
      if (b == '/' || (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9')) {
        uri.append((char) b);
      } else {
        uri.append('%').append(HEX.charAt(b >> 4)).append(HEX.charAt(b & 15));
      }
    }
    try {
      return Path.of(URI.create(uri.toString()));
    } catch (IllegalArgumentException e) {
      throw new InvalidPathException(uri.toString(), "not a path of this system");
    }
  }

  /**
   * The path as an argument of a program.
   *
   * @throws CsiException FAILED_PRECONDITION if this process's locale can't express its bytes
   */
  static String argument(Path path) {
    String text = path.toString();
    try {
      if (path.getFileSystem().getPath(text).equals(path)) {
        return text;
      }
    } catch (InvalidPathException e) {
      // Answered below.
    }
    throw CsiException.failedPrecondition(
        "the path has bytes that this process can't hand to a program;"
            + " start the driver with LC_ALL=C.UTF-8 and use UTF-8 names");
  }
}
