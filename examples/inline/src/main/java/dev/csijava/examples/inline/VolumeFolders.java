package dev.csijava.examples.inline;

import dev.csijava.core.CsiException;
import dev.csijava.core.kubelet.KubeletPaths;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder a volume on the host's {@code /run}: {@code <hash of the id>/target} names where it is
 * published, {@code <hash of the id>/files} is what the pod sees. Only root can look in from
 * outside; pods see a read-only bind mount, so nobody but this driver ever writes here.
 */
final class VolumeFolders {
  private static final Logger log = LoggerFactory.getLogger(VolumeFolders.class);
  private static final String NOTE = "target";

  private final Path run;

  private VolumeFolders(Path run) {
    this.run = run;
  }

  /** Opens the directory and removes the folders of pods that vanished while nobody was there. */
  static VolumeFolders open(Path run, Mounter mounter) throws IOException {
    Files.createDirectories(run);
    Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
    VolumeFolders folders = new VolumeFolders(run);
    try (DirectoryStream<Path> all = Files.newDirectoryStream(run)) {
      for (Path folder : all) {
        if (folder.getFileName().toString().matches("[0-9a-f]{64}")) {
          new Folder(folder).removeUnlessMounted(mounter);
        }
      }
    }
    return folders;
  }

  /** The folder of a volume, made or not. An id never becomes a part of a path, its hash does. */
  Folder of(String volumeId) {
    return new Folder(run.resolve(KubeletPaths.volumeHandleHash(volumeId)));
  }

  /**
   * One volume's.
   *
   * @param path where it lies
   */
  record Folder(Path path) {
    /** Makes it, if it is missing, for a volume that is to be published at a target. */
    AtomicFiles make(Path target) throws IOException {
      Files.createDirectories(files());
      Files.setPosixFilePermissions(files(), PosixFilePermissions.fromString("rwxr-xr-x"));
      if (!notedTarget().equals(Optional.of(target))) {
        Path next = Files.writeString(path.resolve("next"), target.toString());
        Files.move(next, path.resolve(NOTE), StandardCopyOption.ATOMIC_MOVE);
      }
      return new AtomicFiles(files());
    }

    Path files() {
      return path.resolve("files");
    }

    /** Whether a mount shows the files, told by the kernel's name of what is mounted. */
    boolean isShownBy(Mount mount) {
      String root = mount.root();
      String deleted = "//deleted"; // how the kernel marks what was removed under a mount
      String name =
          root.endsWith(deleted) ? root.substring(0, root.length() - deleted.length()) : root;
      return name.endsWith("/" + path.getFileName() + "/files");
    }

    /** Where the volume is published now, by our notes and by the kernel. */
    Optional<Path> publishedAt(Mounter mounter) throws IOException {
      return notedTarget()
          .filter(target -> mounter.mountAt(target).filter(this::isShownBy).isPresent());
    }

    private Optional<Path> notedTarget() throws IOException {
      Path note = path.resolve(NOTE);
      return Files.exists(note) ? Optional.of(Path.of(Files.readString(note))) : Optional.empty();
    }

    /** Takes it away. Links are removed, not followed. */
    void remove() throws IOException {
      if (Files.exists(files())) {
        new AtomicFiles(files()).clear();
        Files.delete(files());
      }
      Files.deleteIfExists(path.resolve("next"));
      Files.deleteIfExists(path.resolve(NOTE));
      Files.deleteIfExists(path);
    }

    /** What can't be told or removed stays; it keeps nobody from publishing. */
    private void removeUnlessMounted(Mounter mounter) {
      try {
        if (publishedAt(mounter).isEmpty()) {
          remove();
          log.info("the pod of {} is gone, and so is the folder now", path.getFileName());
        }
      } catch (IOException | CsiException | InvalidPathException e) {
        log.warn("{} stays; the next start looks again", path, e);
      }
    }
  }
}
