package dev.csijava.hostpath.backing;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says, from before an image is frozen until it is thawed, that it is this driver who froze it: a
 * freeze outlives the process, and the next one thaws what is marked and nothing else. One empty
 * file an image, named as the volume's folder, in the run directory, which dies with the mounts.
 */
final class FreezeMarks {
  private static final Logger log = LoggerFactory.getLogger(FreezeMarks.class);

  private final Path folder;

  /**
   * @param folder absolute; made if it is not there
   */
  FreezeMarks(Path folder) throws IOException {
    this.folder = folder;
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
  }

  /** Marks the file of a volume. Not synced: a freeze that a power cut ends needs no mark. */
  void put(Path file) throws IOException {
    Path mark = mark(file);
    if (Files.notExists(mark)) {
      Files.createFile(mark);
    }
  }

  void remove(Path file) {
    try {
      Files.deleteIfExists(mark(file));
    } catch (IOException e) {
      // Harmless: the next start finds that there is nothing to thaw.
      log.warn("the run directory keeps a mark for {}: {}", file, e.toString());
    }
  }

  boolean has(Path file) {
    return Files.exists(mark(file));
  }

  /** The names of all folders that are marked. */
  List<String> folders() throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> marks = Files.newDirectoryStream(folder)) {
      marks.forEach(mark -> names.add(mark.getFileName().toString()));
    }
    return names;
  }

  private Path mark(Path file) {
    Path home = file.getParent();
    if (home == null) {
      throw new IllegalArgumentException(file + " lies in no folder");
    }
    return folder.resolve(home.getFileName().toString());
  }
}
