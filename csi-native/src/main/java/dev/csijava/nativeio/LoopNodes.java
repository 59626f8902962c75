package dev.csijava.nativeio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The loop devices that something is attached to now, and the way to a free one.
 *
 * @param devices where device nodes are, {@code /dev}
 * @param blocks where the kernel shows block devices, {@code /sys/block}
 */
record LoopNodes(Path devices, Path blocks) {
  private static final String DELETED = " (deleted)";
  private static final int NODE_MODE = 0600;

  static LoopNodes system() {
    return new LoopNodes(Path.of("/dev"), Path.of("/sys/block"));
  }

  /** An attached device that is held open: its number is not given to another file meanwhile. */
  record Open(Path node, Descriptor device, LoopStatus status) implements AutoCloseable {
    @Override
    public void close() {
      device.close();
    }
  }

  /** What is done with each; answers whether it goes on holding it, and then closes it. */
  @FunctionalInterface
  interface Look {
    boolean keep(Open loop) throws IOException;
  }

  /**
   * Looks at each attached device; of those that are kept the caller is the owner.
   *
   * @throws IOException if the list or a device can't be read; none is kept then
   */
  List<Open> select(Look look) throws IOException {
    List<Open> kept = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(blocks, "loop*")) {
      for (Path one : all) {
        if (Files.exists(one.resolve("loop/backing_file"))) {
          look(devices.resolve(one.getFileName().toString()), look, kept);
        }
      }
      return kept;
    } catch (IOException | RuntimeException e) {
      kept.forEach(Open::close);
      throw e;
    }
  }

  /**
   * What is attached to one device.
   *
   * @return null if nothing is, or what is can't be reached any more, or it is no loop device
   */
  @Nullable LoopStatus status(Path node) throws IOException {
    if (!isLoop(node)) {
      return null;
    }
    try (Descriptor device = open(node, Descriptor.READ | Descriptor.NON_BLOCKING)) {
      return LoopStatus.of(device);
    } catch (LinuxException e) {
      if (isEmptyOrBroken(e)) {
        return null;
      }
      throw e;
    }
  }

  /**
   * Nothing is attached to a device (any more), or a file whose file system lost its server. The
   * kernel asks that for the file's number, and so the file can't be the one that is looked for,
   * which has just been asked for the same. It is another's, and must not stop us.
   */
  private static boolean isEmptyOrBroken(LinuxException e) {
    return e.is(Errno.ENXIO, Errno.ENOTCONN, Errno.EHOSTDOWN, Errno.ESTALE);
  }

  /** By its name, since another device must not be opened, a tape for example would rewind. */
  private boolean isLoop(Path node) {
    return devices.equals(node.getParent())
        && Files.exists(blocks.resolve(node.getFileName().toString()).resolve("loop"));
  }

  private void look(Path node, Look look, List<Open> kept) throws IOException {
    Descriptor device;
    try {
      device = open(node, Descriptor.READ | Descriptor.NON_BLOCKING);
    } catch (LinuxException e) {
      if (e.is(Errno.ENXIO)) {
        return;
      }
      throw e;
    }
    try {
      Open open = new Open(node, device, LoopStatus.of(device));
      if (look.keep(open)) {
        kept.add(open);
        return;
      }
    } catch (LinuxException e) {
      if (!isEmptyOrBroken(e)) {
        device.close();
        throw e;
      }
    }
    device.close();
  }

  /** The file that it shows, as the kernel names it. */
  String backingFile(Path node) throws IOException {
    Path shown = blocks.resolve(node.getFileName().toString()).resolve("loop/backing_file");
    try {
      String text = new String(Files.readAllBytes(shown), StandardCharsets.UTF_8);
      return text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
    } catch (NoSuchFileException e) {
      return DELETED.strip();
    }
  }

  /** A device that nothing is attached to, at this moment. */
  Path free() throws IOException {
    try (Descriptor control =
        Descriptor.open(devices.resolve("loop-control"), Descriptor.READ_WRITE)) {
      return devices.resolve("loop" + Ioctl.LOOP_FREE_NUMBER.call(control, 0));
    }
  }

  /**
   * Opens a device by its node, which is made if it is missing, as in a container that has a /dev
   * of its own.
   *
   * @throws IOException that says what to do if the node can't be made
   */
  Descriptor open(Path node, int flags) throws IOException {
    try {
      return Descriptor.open(node, flags);
    } catch (LinuxException e) {
      if (!e.is(Errno.ENOENT)) {
        throw e;
      }
    }
    FileName name = FileName.of(node.getFileName().toString());
    try (OpenDirectory directory = OpenDirectory.at(devices)) {
      directory.makeSpecial(name, NodeType.BLOCK_DEVICE, NODE_MODE, numberOf(name));
    } catch (LinuxException e) {
      if (!e.is(Errno.EEXIST)) {
        throw new IOException(
            "the kernel made a loop device, but "
                + node
                + " does not appear and can't be made; mount the node's /dev into the container: "
                + e.getMessage(),
            e);
      }
    }
    return Descriptor.open(node, flags);
  }

  private DeviceNumber numberOf(FileName name) throws IOException {
    String[] number = Files.readString(blocks.resolve(name + "/dev")).strip().split(":", 2);
    return new DeviceNumber(Integer.parseInt(number[0]), Integer.parseInt(number[1]));
  }
}
