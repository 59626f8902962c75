package dev.csijava.hostpath.admin;

import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.Mount;
import dev.csijava.hostpath.mounts.MountView;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The directory of the Go driver. Its ids come from outside: one is used as a name there only if it
 * is a plain one, and what is there is looked at without following a link (rule K2).
 *
 * @param directory absolute, without links
 */
record OldData(Path directory, AdminMachine machine) {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,200}");

  /** The names that a state directory of this driver uses itself, which may be the same one. */
  static final Set<String> OWN =
      Set.of("lock", "volumes", "snapshots", "groups", "pending", "trash", "import");

  /**
   * The name of the data of an object.
   *
   * @param id by the state
   * @param path by the state, as the Go driver sees it
   * @throws RefusedException if they do not name one file of the directory
   */
  static String name(String id, String path, String suffix) throws RefusedException {
    String name = id + suffix;
    String last = path.substring(path.lastIndexOf('/') + 1);
    if (!PLAIN.matcher(id).matches() || OWN.contains(name) || !last.equals(name)) {
      throw new RefusedException(
          "'"
              + printable(id)
              + "' with the path '"
              + printable(path)
              + "' does not name a file of the directory");
    }
    return name;
  }

  static String printable(String text) {
    return text.replaceAll("\\p{Cntrl}", "?");
  }

  Path at(String name) {
    return directory.resolve(name);
  }

  boolean isDirectory(String name) {
    return Files.isDirectory(at(name), LinkOption.NOFOLLOW_LINKS);
  }

  boolean isFile(String name) {
    return Files.isRegularFile(at(name), LinkOption.NOFOLLOW_LINKS);
  }

  long size(String name) throws IOException {
    return Files.size(at(name));
  }

  /** The device that a block file is attached as. */
  Optional<LoopDevice> device(String name) {
    return isFile(name) ? machine.loops().find(at(name)) : Optional.empty();
  }

  /** Where it is mounted, by the kernel. */
  List<Path> targets(String name) {
    MountView mounts = machine.mounts();
    List<Mount> found = new ArrayList<>(mounts.showing(at(name)));
    device(name).ifPresent(device -> found.addAll(mounts.ofDevice(device.node())));
    return found.stream().map(Mount::target).distinct().toList();
  }

  /** Whether the topmost mount at a target shows it. */
  boolean isShownAt(String name, Path target) {
    return machine
        .mounts()
        .shownAt(target, directory)
        .filter(shown -> shown.equals(at(name)))
        .isPresent();
  }

  /** Whether something is mounted right upon it, so that it can't be renamed. */
  boolean isMountPoint(String name) {
    return machine.mounts().atOrBelow(at(name)).stream()
        .anyMatch(mount -> mount.target().equals(at(name)));
  }
}
