package dev.csijava.core.mount;

import dev.csijava.core.CsiException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A path and the mounts at it, at one moment.
 *
 * @param path as the kernel names it: links in its parent are resolved, the last component is not
 * @param stack what is mounted there, the topmost last
 */
record MountPlace(Path path, MountTable table, List<Mount> stack) {
  /** The seam at which tests put a table of their own. */
  @FunctionalInterface
  interface Tables {
    MountTable read() throws IOException;
  }

  /**
   * Looks the path up.
   *
   * @throws CsiException INVALID_ARGUMENT if it is not absolute and normalised or is the root;
   *     UNAVAILABLE if table or parent can't be read
   */
  static MountPlace find(Path path, Tables tables) {
    if (!path.isAbsolute() || !path.equals(path.normalize()) || path.getFileName() == null) {
      throw CsiException.invalidArgument(
          "a path to mount at must be absolute, without . and .., and not the root directory");
    }
    MountTable table = read(tables);
    List<Mount> stack = table.stackAt(path);
    if (!stack.isEmpty()) {
      // The name is the kernel's own. Nothing at the path was touched so far.
      return new MountPlace(path, table, stack);
    }
    Path real = withRealParent(path);
    return new MountPlace(real, table, real.equals(path) ? stack : table.stackAt(real));
  }

  Optional<Mount> top() {
    return stack.isEmpty() ? Optional.empty() : Optional.of(stack.get(stack.size() - 1));
  }

  private static MountTable read(Tables tables) {
    try {
      return tables.read();
    } catch (IOException e) {
      throw CsiException.unavailable("the table of mounts can't be read; is /proc mounted?", e);
    }
  }

  /** A path below something missing stays as it is: nothing can be mounted there. */
  private static Path withRealParent(Path path) {
    Path parent = path.getParent();
    Path name = path.getFileName();
    if (parent == null || name == null) {
      return path;
    }
    try {
      return parent.toRealPath().resolve(name);
    } catch (NoSuchFileException e) {
      return path;
    } catch (IOException e) {
      if (leadsThroughFile(parent)) {
        return path;
      }
      throw CsiException.unavailable("the parent directory of the path can't be read", e);
    }
  }

  /** Whether the directory can't exist since it or one further up is a file. */
  static boolean leadsThroughFile(@Nullable Path directory) {
    for (Path up = directory; up != null; up = up.getParent()) {
      if (Files.isRegularFile(up, LinkOption.NOFOLLOW_LINKS)) {
        return true;
      }
    }
    return false;
  }
}
