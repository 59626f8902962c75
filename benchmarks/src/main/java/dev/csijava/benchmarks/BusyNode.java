package dev.csijava.benchmarks;

import dev.csijava.core.mount.MountOptions;
import dev.csijava.core.mount.Mounter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A node with many mounts: the volumes on a mount of their own, as a driver has them, and each of
 * the targets a bind of one volume. Needs root; takes everything away when it is closed.
 */
final class BusyNode implements AutoCloseable {
  private final Mounter mounter = Mounter.system();
  private final Path directory;
  private final Path volumes;
  private final Path targets;
  private final int mounts;

  BusyNode(int mounts) throws IOException {
    this.mounts = mounts;
    directory = Files.createTempDirectory("csi-benchmark").toRealPath();
    volumes = Files.createDirectory(directory.resolve("volumes"));
    targets = Files.createDirectory(directory.resolve("targets"));
    for (Path place : List.of(volumes, targets)) {
      mounter.mount("benchmark", place, "tmpfs", List.of());
    }
    Files.createDirectory(volume());
    Files.createDirectory(freeTarget());
    for (int i = 0; i < mounts; i++) {
      mounter.bind(volume(), Files.createDirectory(target(i)), MountOptions.NONE);
    }
  }

  Path volume() {
    return volumes.resolve("volume");
  }

  /** Where nothing is mounted. */
  Path freeTarget() {
    return targets.resolve("free");
  }

  /** Where the volume is mounted. */
  Path target(int i) {
    return targets.resolve("t" + i);
  }

  @Override
  public void close() throws IOException {
    mounter.unmount(freeTarget());
    for (int i = 0; i < mounts; i++) {
      mounter.unmount(target(i));
    }
    for (Path place : List.of(volumes, targets)) {
      mounter.unmount(place);
      Files.delete(place);
    }
    Files.delete(directory);
  }
}
