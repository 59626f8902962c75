package dev.csijava.benchmarks;

import dev.csijava.core.mount.LoopDevice;
import dev.csijava.core.mount.LoopDevices;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** A file system of its own, in a file in the directory for temporary files. Needs root. */
final class LoopMount implements AutoCloseable {
  private final Mounter mounter = Mounter.system();
  private final LoopDevices loops = LoopDevices.system();
  private final Path directory;
  private final Path image;
  private final Path place;

  private LoopMount(Path directory) {
    this.directory = directory;
    this.image = directory.resolve("image");
    this.place = directory.resolve("mounted");
  }

  /**
   * @param type xfs, where blocks can be shared, or ext4, where they can't
   * @param bytes how large; none of it is used before something is written
   */
  static LoopMount make(String type, long bytes) throws IOException {
    LoopMount made = new LoopMount(Files.createTempDirectory("csi-benchmark").toRealPath());
    Files.createDirectory(made.place);
    try (FileChannel file =
        FileChannel.open(made.image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      file.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
    }
    Programs.run(
        type.equals("xfs")
            ? List.of("mkfs.xfs", "-q", "-m", "reflink=1", made.image.toString())
            // Else the kernel writes the tables of inodes while something is measured.
            : List.of("mkfs.ext4", "-q", "-E", "lazy_itable_init=0", made.image.toString()));
    LoopDevice device = made.loops.attach(made.image, false);
    made.mounter.mount(device.node().toString(), made.place, type, List.of());
    return made;
  }

  /** Where it is mounted. */
  Path root() {
    return place;
  }

  @Override
  public void close() throws IOException {
    mounter.unmount(place);
    loops.detach(image);
    Files.delete(place);
    Files.delete(image);
    Files.delete(directory);
  }
}
