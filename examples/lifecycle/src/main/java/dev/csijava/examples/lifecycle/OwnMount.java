package dev.csijava.examples.lifecycle;

import dev.csijava.core.mount.Mount;
import dev.csijava.core.mount.MountTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/**
 * A mount below the folder of the demo, told shortly.
 *
 * @param target where it is, relative to that folder
 * @param shows what it shows: relative to that folder too if it lies there
 * @param fileSystem its type, for example {@code ext4}
 * @param writable whether it can be written through
 */
record OwnMount(String target, String shows, String fileSystem, boolean writable) {
  private static final Pattern LONG_NAME = Pattern.compile("([0-9a-f]{8})[0-9a-f-]{24,56}");

  /** What is mounted strictly below a folder, now. */
  static List<OwnMount> below(Path folder) throws IOException {
    return MountTable.read().below(folder).stream().map(mount -> of(mount, folder)).toList();
  }

  static OwnMount of(Mount mount, Path folder) {
    // The kernel names what is shown by its path in its own file system, whose root may be mounted
    // anywhere: the demo's own folder is found by its name.
    String inside = "/" + folder.getFileName() + "/";
    int at = mount.root().indexOf(inside);
    String shown = at < 0 ? mount.root() : mount.root().substring(at + inside.length());
    return new OwnMount(
        shortened(folder.relativize(mount.target()).toString()),
        shortened(shown),
        mount.fileSystemType(),
        !mount.readOnly());
  }

  /** Long names that nobody reads to their end keep their first eight digits. */
  static String shortened(String text) {
    return LONG_NAME.matcher(text).replaceAll("$1..");
  }
}
