package dev.csijava.core.mount;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Says who keeps a mount busy, as far as this process may see it: processes with a working
 * directory, root, program or open file below the path. Only links of {@code /proc} are read, so
 * the mounted file system is not asked. Files that are only mapped are not found.
 *
 * <p>Safe for use by several threads. Costs a walk through all processes: ask after a failure.
 *
 * <p>Not for drivers: what implements {@link Mounter} uses it.
 *
 * @since 0.1.0
 */
public final class MountHolders {
  private static final int MOST = 10;
  private static final int MOST_MOUNTS = 32;

  private final Path proc;

  MountHolders(Path proc) {
    this.proc = proc;
  }

  /**
   * Those of this node, as far as {@code /proc} shows them.
   *
   * @since 0.1.0
   */
  public static MountHolders system() {
    return new MountHolders(Path.of("/proc"));
  }

  /**
   * Says in one sentence that the mount at the target is in use, and by what.
   *
   * @param target the mount point, as the kernel names it
   * @param table the table to look for mounts below it
   * @since 0.1.0
   */
  public String sentence(Path target, MountTable table) {
    List<Mount> below = table.below(target);
    List<String> processes = of(target);
    StringBuilder users = new StringBuilder("the mount is in use");
    if (!below.isEmpty()) {
      users.append(
          below.stream()
              .limit(MOST_MOUNTS)
              .map(mount -> mount.target().toString())
              .collect(Collectors.joining(", ", "; mounted below it: ", "")));
    }
    if (!processes.isEmpty()) {
      users.append("; used by process ").append(String.join(", ", processes));
    }
    if (below.isEmpty() && processes.isEmpty()) {
      users.append(" by something that can't be seen from here");
    }
    return users.toString();
  }

  /** For example {@code 4711 (postgres)}; at most ten. */
  List<String> of(Path target) {
    List<String> holders = new ArrayList<>();
    try (DirectoryStream<Path> processes = Files.newDirectoryStream(proc, "[0-9]*")) {
      for (Path process : processes) {
        if (holders.size() == MOST) {
          break;
        }
        if (holds(process, target)) {
          holders.add(process.getFileName() + name(process));
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Without /proc the answer is shorter, not different.
    }
    return holders;
  }

  private static boolean holds(Path process, Path target) {
    for (String link : List.of("cwd", "root", "exe")) {
      if (leadsInto(process.resolve(link), target)) {
        return true;
      }
    }
    try (DirectoryStream<Path> open = Files.newDirectoryStream(process.resolve("fd"))) {
      for (Path descriptor : open) {
        if (leadsInto(descriptor, target)) {
          return true;
        }
      }
    } catch (IOException | DirectoryIteratorException e) {
      // Another user's process, or one that has ended.
    }
    return false;
  }

  private static boolean leadsInto(Path link, Path target) {
    try {
      return Files.readSymbolicLink(link).startsWith(target);
    } catch (IOException e) {
      return false;
    }
  }

  private static String name(Path process) {
    try {
      return " (" + Files.readString(process.resolve("comm")).strip() + ")";
    } catch (IOException e) {
      return "";
    }
  }
}
