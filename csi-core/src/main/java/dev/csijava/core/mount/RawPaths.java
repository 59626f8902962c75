package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/**
 * Paths from and to the bytes that the kernel knows. A name on Linux is bytes, not characters, and
 * the JDK's way from a string depends on the locale of the process. Nothing here looks at the disk.
 *
 * <p>Not for drivers: what implements {@link Mounter} uses it.
 *
 * @since 0.1.0
 */
public final class RawPaths {
  private static final String HEX = "0123456789ABCDEF";

  /** Below a file nothing is: see {@link #bytes}. */
  private static final Path NOWHERE = Path.of("/dev/null");

  private RawPaths() {}

  /**
   * The path of this system with exactly these bytes.
   *
   * @throws InvalidPathException if they hold a NUL
   * @since 0.1.0
   */
  public static Path of(byte[] bytes) {
    return decode(FileSystems.getDefault(), bytes, 0, bytes.length);
  }

  /**
   * The bytes of a path, without a NUL at the end, whatever this process's locale.
   *
   * @param path absolute, of the default file system
   * @throws IllegalArgumentException if it is another one
   * @since 0.1.0
   */
  public static byte[] bytes(Path path) {
    if (!path.isAbsolute() || !path.getFileSystem().equals(FileSystems.getDefault())) {
      throw new IllegalArgumentException("not an absolute path of this system");
    }
    String text = path.toString();
    byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 128) {
        return bytesViaUri(path);
      }
    }
    return bytes;
  }

  /**
   * A path's URI has its bytes, but asking for it looks the path up, to see if it is a directory,
   * and that could hang: so ask for the same path at a place where nothing is.
   */
  private static byte[] bytesViaUri(Path path) {
    Path elsewhere = NOWHERE.resolve(path.getRoot().relativize(path));
    String raw = elsewhere.toUri().getRawPath().substring(NOWHERE.toString().length());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(raw.length());
    for (int i = 0; i < raw.length(); i++) {
      char c = raw.charAt(i);
      if (c == '%') {
        bytes.write(Integer.parseInt(raw, i + 1, i + 3, 16));
        i += 2;
      } else {
        bytes.write(c);
      }
    }
    return bytes.toByteArray();
  }

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
