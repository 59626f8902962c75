package dev.csijava.testkit.conformance;

import dev.csijava.spec.v1.Volume;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Looks into volumes by publishing them, if the kit sees the driver's mounts: a target that is no
 * mount point here belongs to another host or to a driver that only pretends.
 */
final class Content {
  private static final String FILE = "csi-testkit-marker";
  private static final String MARKER = "written before the copy was made";
  private static final String OTHER = "written after the copy was made!";

  private Content() {}

  static void write(CaseContext c, Volume volume) {
    published(c, volume, target -> put(c, target, MARKER));
  }

  static void overwrite(CaseContext c, Volume volume) {
    published(c, volume, target -> put(c, target, OTHER));
  }

  /** Whether the volume holds what was written first; nothing where that can't be seen. */
  static Optional<Boolean> holdsMarker(CaseContext c, Volume volume) {
    return published(c, volume, target -> get(c, target).equals(MARKER));
  }

  /** The size in bytes of the volume's file system; nothing where that can't be seen. */
  static Optional<Long> fileSystemSize(CaseContext c, Volume volume) {
    return c.settings().accessType() == Settings.AccessType.BLOCK
        ? Optional.empty()
        : published(c, volume, target -> Files.getFileStore(target).getTotalSpace());
  }

  /** Work with a published volume. */
  @FunctionalInterface
  interface Work<T> {
    T at(Path target) throws IOException;
  }

  static <T> Optional<T> published(CaseContext c, Volume volume, Work<T> work) {
    NodeWork node = c.make().onNode();
    if (!c.advertises("service:Node") || !node.seesFiles()) {
      return Optional.empty();
    }
    NodeWork.OnNode onNode = node.stage(volume, c.requests().capability());
    String target = node.publish(onNode);
    try {
      return SeenMounts.isMounted(target)
          ? Optional.of(work.at(Path.of(target)))
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("the volume at " + target + " can't be used", e);
    } finally {
      node.unpublish(onNode, target);
      node.remove(onNode);
    }
  }

  private static boolean put(CaseContext c, Path target, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    boolean block = c.settings().accessType() == Settings.AccessType.BLOCK;
    try (FileChannel file =
        block
            ? FileChannel.open(target, StandardOpenOption.WRITE)
            : FileChannel.open(
                target.resolve(FILE), StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
      file.write(bytes, 0);
      file.force(true);
    }
    return true;
  }

  private static String get(CaseContext c, Path target) throws IOException {
    boolean block = c.settings().accessType() == Settings.AccessType.BLOCK;
    Path path = block ? target : target.resolve(FILE);
    if (!Files.exists(path)) {
      return "";
    }
    ByteBuffer bytes = ByteBuffer.allocate(MARKER.length());
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = file.read(bytes, bytes.position());
      }
    }
    return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
  }
}
