package dev.csijava.benchmarks;

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
  private static final String BIND_ALL =
      "i=0; while [ $i -lt $3 ]; do mount --bind \"$1\" \"$2$i\" || exit; i=$((i+1)); done";

  private final Mounter mounter = Mounter.system();
  private final Path directory;
  private final Path volumes;
  private final Path targets;

  BusyNode(int mounts) throws IOException {
    directory = Files.createTempDirectory("csi-benchmark").toRealPath();
    volumes = Files.createDirectory(directory.resolve("volumes"));
    targets = Files.createDirectory(directory.resolve("targets"));
    for (Path place : List.of(volumes, targets)) {
      mounter.mount("benchmark", place, "tmpfs", List.of());
    }
    Files.createDirectory(volume());
    Files.createDirectory(freeTarget());
    for (int i = 0; i < mounts; i++) {
      Files.createDirectory(target(i));
    }
    // The mounter reads the table at each mount where it works by programs: much too long for ten
    // thousand.
    Programs.run(
        List.of("sh", "-c", BIND_ALL, "sh", volume().toString(), targets + "/t", "" + mounts));
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
    // With all that is mounted below, in one step; nobody else knows these mounts.
    Programs.run(List.of("umount", "--lazy", targets.toString()));
    mounter.unmount(volumes);
    Files.delete(targets);
    Files.delete(volumes);
    Files.delete(directory);
  }
}
