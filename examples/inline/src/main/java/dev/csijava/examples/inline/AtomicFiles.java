package dev.csijava.examples.inline;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Files that change all at once, under the eyes of who reads them. They lie in a directory of their
 * own for each version; a link, {@code ..data}, leads to the present one and is replaced by one
 * rename; the name of each file is a link by way of it. So whoever opens the files through one
 * opened {@code ..data} has them all from one moment.
 *
 * <p>One thread at a time.
 *
 * @param directory exists, and nobody else writes to it
 */
record AtomicFiles(Path directory) {
  private static final String DATA = "..data";
  private static final String NEXT = "..next";
  private static final String VERSION = "..version-";

  /**
   * Whether the contents had to be changed: equal ones stay. What a crash left undone between two
   * steps, a name that is missing for example, is done in any case.
   */
  boolean write(Map<String, String> files) throws IOException {
    boolean changed = !files.equals(read());
    if (changed) {
      Path next = directory.resolve(NEXT);
      Files.deleteIfExists(next);
      Files.createSymbolicLink(next, writeVersion(files).getFileName());
      Files.move(next, directory.resolve(DATA), StandardCopyOption.ATOMIC_MOVE);
    }
    for (String name : files.keySet()) {
      Path link = directory.resolve(name);
      if (!Files.exists(link, LinkOption.NOFOLLOW_LINKS)) {
        Files.createSymbolicLink(link, Path.of(DATA, name));
      }
    }
    Path data = directory.resolve(DATA);
    if (Files.exists(data)) {
      removeAllBut(files, directory.resolve(Files.readSymbolicLink(data)));
    }
    return changed;
  }

  /** What is there now; empty before the first time. */
  Map<String, String> read() throws IOException {
    Map<String, String> files = new TreeMap<>();
    Path data = directory.resolve(DATA);
    if (Files.exists(data)) {
      try (DirectoryStream<Path> present = Files.newDirectoryStream(data)) {
        for (Path file : present) {
          files.put(file.getFileName().toString(), Files.readString(file));
        }
      }
    }
    return files;
  }

  private Path writeVersion(Map<String, String> files) throws IOException {
    Path version = Files.createDirectory(directory.resolve(VERSION + UUID.randomUUID()));
    Files.setPosixFilePermissions(version, PosixFilePermissions.fromString("rwxr-xr-x"));
    for (Map.Entry<String, String> entry : files.entrySet()) {
      Path file = Files.writeString(version.resolve(entry.getKey()), entry.getValue());
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    }
    return version;
  }

  /** Older versions, what a crash left of newer ones, and names that are not used any more. */
  private void removeAllBut(Map<String, String> files, Path version) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(directory)) {
      for (Path each : all) {
        String name = each.getFileName().toString();
        if (name.startsWith(VERSION) && !each.equals(version)) {
          removeVersion(each);
        } else if (!name.startsWith("..") && !files.containsKey(name)) {
          Files.delete(each);
        }
      }
    }
  }

  /** Takes everything away but the directory. */
  void clear() throws IOException {
    Files.deleteIfExists(directory.resolve(DATA));
    Files.deleteIfExists(directory.resolve(NEXT));
    removeAllBut(Map.of(), directory);
  }

  private static void removeVersion(Path version) throws IOException {
    try (DirectoryStream<Path> files = Files.newDirectoryStream(version)) {
      for (Path file : files) {
        Files.delete(file);
      }
    }
    Files.delete(version);
  }
}
