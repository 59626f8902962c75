package dev.csijava.examples.folders;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import dev.csijava.spec.v1.CreateVolumeRequest;
import dev.csijava.spec.v1.Volume;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Pattern;

/**
 * One volume.
 *
 * @param id random, and the name of its folder
 * @param request what it was made from
 * @param sizeBytes what was promised
 * @param data what pods see
 */
record Folder(String id, CreateVolumeRequest request, long sizeBytes, Path data) {
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"); // as UUID writes it

  /** Whether the store can have issued it. */
  static boolean isId(String text) {
    return ID.matcher(text).matches();
  }

  Volume toVolume() {
    return Volume.newBuilder().setVolumeId(id).setCapacityBytes(sizeBytes).build();
  }

  // region mounts
  /** Whether a pod has it. The kernel is asked, so that it holds after any crash. */
  boolean isMounted() {
    try {
      return MountTable.read().all().stream().anyMatch(mount -> isShownBy(mount, id));
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read", e);
    }
  }

  /** Ids are random, so the end of the path in its file system tells a volume. */
  static boolean isShownBy(Mount mount, String id) {
    String deleted = "//deleted"; // how the kernel marks what somebody removed under a mount
    String root = mount.root();
    String path =
        root.endsWith(deleted) ? root.substring(0, root.length() - deleted.length()) : root;
    return isId(id) && path.endsWith("/" + id + "/data");
  }

  // endregion
}
