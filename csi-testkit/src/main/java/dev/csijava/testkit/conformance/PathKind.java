package dev.csijava.testkit.conformance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Locale;

/** What stands at a path on the driver's host, in the words of csi-sanity. */
enum PathKind {
  FILE,
  DIRECTORY,
  NOT_FOUND,
  /** A device, a link, or what can't be looked at, such as a dead mount. */
  OTHER;

  /** As seen from here. */
  static PathKind of(Path path) {
    try {
      BasicFileAttributes attributes =
          Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
      if (attributes.isRegularFile()) {
        return FILE;
      }
      return attributes.isDirectory() ? DIRECTORY : OTHER;
    } catch (NoSuchFileException e) {
      return NOT_FOUND;
    } catch (IOException e) {
      return OTHER;
    }
  }

  /**
   * As a command prints it.
   *
   * @throws IOException if it is no such word
   */
  static PathKind parse(String word) throws IOException {
    for (PathKind kind : values()) {
      if (kind.toString().equals(word)) {
        return kind;
      }
    }
    throw new IOException("printed " + (word.isEmpty() ? "nothing" : "\"" + word + "\""));
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
