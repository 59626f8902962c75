package dev.csijava.examples.block;

import dev.csijava.core.CsiException;
import dev.csijava.core.mount.Mount;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A loop device whose node a target shows, and what the kernel says of it under {@code /sys}.
 *
 * @param block where the kernel shows it there
 */
record ShownLoop(Path block) {
  private static final Path DEVICES = Path.of("/sys/dev/block");
  private static final int TYPE = 0170000;
  private static final int BLOCK_DEVICE = 0060000;
  private static final int LOOP_MAJOR = 7;

  /** Where device nodes lie; what lies on another file system is not asked for, it may hang. */
  private static final Set<String> OF_NODES = Set.of("devtmpfs", "tmpfs");

  /** The device that a mount shows; empty if it shows something else. */
  static Optional<ShownLoop> of(Mount mount) {
    if (!OF_NODES.contains(mount.fileSystemType()) || mount.root().equals("/")) {
      return Optional.empty();
    }
    try {
      Path node = mount.target();
      int mode = (Integer) Files.getAttribute(node, "unix:mode", LinkOption.NOFOLLOW_LINKS);
      long number = (Long) Files.getAttribute(node, "unix:rdev", LinkOption.NOFOLLOW_LINKS);
      long major = ((number >>> 8) & 0xfff) | ((number >>> 32) & ~0xfffL);
      long minor = (number & 0xff) | ((number >>> 12) & ~0xffL);
      return (mode & TYPE) == BLOCK_DEVICE && major == LOOP_MAJOR
          ? Optional.of(new ShownLoop(DEVICES.resolve(major + ":" + minor)))
          : Optional.empty();
    } catch (NoSuchFileException e) {
      return Optional.empty(); // unmounted meanwhile
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /**
   * The file that it has, as this process sees it; the name ends in "(deleted)" if that is gone.
   */
  Optional<Path> file() {
    try {
      return Optional.of(Path.of(Files.readString(block.resolve("loop/backing_file")).strip()));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw unreadable(e);
    }
  }

  /** Whether it provably has none. */
  boolean isEmpty() {
    return Files.isDirectory(DEVICES) && file().isEmpty();
  }

  private static CsiException unreadable(IOException e) {
    return CsiException.unavailable("the loop device at a target can't be looked at", e);
  }
}
