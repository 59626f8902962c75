package dev.csijava.hostpath.mounts;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/** What the kernel tells of loop and other block devices, without opening one. */
class LoopFileNames {
  private static final String DELETED = " (deleted)";
  private static final int TYPE_MASK = 0170000;
  private static final int BLOCK_DEVICE = 0060000;

  /**
   * The file that a loop device was made of, by the name that it had.
   *
   * @param device {@code major:minor}
   * @return empty if it is no loop device
   */
  Optional<Path> file(String device) {
    try {
      byte[] bytes = Files.readAllBytes(Path.of("/sys/dev/block", device, "loop/backing_file"));
      String name = new String(bytes, StandardCharsets.UTF_8);
      name = name.endsWith("\n") ? name.substring(0, name.length() - 1) : name;
      return Optional.of(
          Path.of(
              name.endsWith(DELETED) ? name.substring(0, name.length() - DELETED.length()) : name));
    } catch (IOException | InvalidPathException e) {
      return Optional.empty();
    }
  }

  /**
   * The number of a device node, {@code major:minor}.
   *
   * @return empty if it is no block device
   */
  Optional<String> number(Path node) {
    try {
      int mode = (Integer) Files.getAttribute(node, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      long device = (Long) Files.getAttribute(node, "unix:rdev", LinkOption.NOFOLLOW_LINKS);
      return (mode & TYPE_MASK) == BLOCK_DEVICE
          ? Optional.of(major(device) + ":" + minor(device))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /**
   * The node of a block device, by the kernel's name for it.
   *
   * @param device {@code major:minor}
   * @return empty if it is no block device
   */
  Optional<Path> node(String device) {
    try {
      Path shown = Files.readSymbolicLink(Path.of("/sys/dev/block", device));
      return Optional.of(Path.of("/dev", shown.getFileName().toString()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static long major(long device) {
    return ((device >>> 8) & 0xfff) | ((device >>> 32) & ~0xfffL);
  }

  private static long minor(long device) {
    return (device & 0xff) | ((device >>> 12) & ~0xffL);
  }
}
