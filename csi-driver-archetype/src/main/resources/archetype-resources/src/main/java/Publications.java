package ${package};

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/** Where volumes are mounted. The kernel is asked, so that it holds after any crash. */
final class Publications {
  private Publications() {}

  static List<Path> targets(StoredVolume volume) {
    try {
      return MountTable.read().all().stream()
          .filter(mount -> isOf(volume.id(), mount))
          .map(Mount::target)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Ids are random, so the end of the path in its file system tells a volume. */
  static boolean isOf(String volumeId, Mount mount) {
    String deleted = "//deleted"; // how the kernel marks what somebody removed under a mount
    String root = mount.root();
    String path =
        root.endsWith(deleted) ? root.substring(0, root.length() - deleted.length()) : root;
    return StoredVolume.isId(volumeId) && path.endsWith("/" + volumeId + "/data");
  }
}
