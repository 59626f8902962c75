package dev.csijava.examples.existing;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubeletPaths;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which volume was bound to which target: a file a target, in a directory on the host's tmpfs, so
 * that it ends together with the mounts. It names a mount whose disk has vanished meanwhile, which
 * the kernel can't; whether something is mounted is still the kernel's to say.
 */
final class Publications {
  private final Path directory;

  Publications(Path directory) {
    this.directory = directory;
  }

  Optional<String> volumeAt(Path target) {
    return read(file(target)).map(lines -> lines[0]);
  }

  /** The targets of a volume other than this one. */
  Stream<Path> others(String volumeId, Path target) {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .flatMap(file -> read(file).stream())
          .filter(lines -> lines[0].equals(volumeId) && !lines[1].equals(target.toString()))
          .map(lines -> Path.of(lines[1]))
          .toList()
          .stream();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  void put(String volumeId, Path target) {
    Path file = file(target);
    Path fresh = file.resolveSibling("." + file.getFileName());
    try {
      Files.writeString(fresh, volumeId + "\n" + target);
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw CsiException.internal("the run directory can't be written", e);
    }
  }

  void remove(Path target) {
    try {
      Files.deleteIfExists(file(target));
    } catch (IOException e) {
      throw CsiException.unavailable("the run directory can't be written", e);
    }
  }

  private static Optional<String[]> read(Path file) {
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      String[] lines = Files.readString(file).split("\n", 2);
      return lines.length == 2 ? Optional.of(lines) : Optional.empty();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** A hash, since a path may be longer than a name. */
  private Path file(Path target) {
    return directory.resolve(KubeletPaths.volumeHandleHash(target.toString()));
  }

  private static CsiException unreadable(IOException e) {
    return CsiException.unavailable("the run directory can't be read", e);
  }
}
