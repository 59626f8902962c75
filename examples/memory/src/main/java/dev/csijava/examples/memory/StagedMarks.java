package dev.csijava.examples.memory;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Which volumes were staged since the last boot: an empty file each on the host's {@code /run},
 * which is emptied by a reboot like the volumes themselves. So a volume whose mount is gone in a
 * reboot can be told from one whose mount somebody took away (rule K6).
 */
final class StagedMarks {
  private final Path directory;

  private StagedMarks(Path directory) {
    this.directory = directory;
  }

  static StagedMarks in(Path directory) throws IOException {
    return new StagedMarks(Files.createDirectories(directory));
  }

  boolean has(MemoryVolume volume) {
    return Files.exists(mark(volume));
  }

  void set(MemoryVolume volume) {
    try {
      Files.createFile(mark(volume));
    } catch (FileAlreadyExistsException e) {
      // Staged again.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void clear(MemoryVolume volume) {
    try {
      Files.deleteIfExists(mark(volume));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path mark(MemoryVolume volume) {
    return directory.resolve(volume.id());
  }
}
