package dev.csijava.nativeio;

import dev.csijava.core.mount.FileSystemRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Says which file systems the kernel mounts by itself and waits for nobody but disks. All others,
 * and what only mount(8) understands, are mounted by that.
 */
final class LocalFileSystems {
  private static final Set<String> ON_DEVICES = Set.of("ext2", "ext3", "ext4", "xfs", "btrfs");
  private static final String IN_MEMORY = "tmpfs";
  private static final int TYPE = 0170000;
  private static final int BLOCK_DEVICE = 0060000;

  private final List<Path> helpers;

  /**
   * @param helpers where mount(8) looks for helpers, the programs called mount.TYPE
   */
  LocalFileSystems(List<Path> helpers) {
    this.helpers = List.copyOf(helpers);
  }

  static LocalFileSystems system() {
    return new LocalFileSystems(
        List.of(
            Path.of("/sbin"), Path.of("/sbin/fs.d"), Path.of("/sbin/fs"), Path.of("/usr/sbin")));
  }

  /** What to ask the kernel for; empty if mount(8) has to be run. */
  Optional<NewFileSystem> plan(FileSystemRequest request) {
    boolean local =
        request.type().equals(IN_MEMORY)
            || (ON_DEVICES.contains(request.type()) && isBlockDevice(request.source()));
    return local && !hasHelper(request.type()) ? NewFileSystem.of(request) : Optional.empty();
  }

  private boolean hasHelper(String type) {
    return helpers.stream().anyMatch(folder -> Files.exists(folder.resolve("mount." + type)));
  }

  /** An image file is attached to a loop device by mount(8), a label looked up. */
  private static boolean isBlockDevice(String source) {
    try {
      return source.startsWith("/")
          && Files.getAttribute(Path.of(source), "unix:mode") instanceof Integer mode
          && (mode & TYPE) == BLOCK_DEVICE;
    } catch (IOException | InvalidPathException e) {
      return false;
    }
  }
}
